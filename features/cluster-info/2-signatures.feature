Feature: What a signature is made of

  A signature is a detached JWS: a header, nothing, and an HMAC over header and kubeconfig. Machines that join compute
  it anew and compare the two texts, so every byte counts.

  @JWS-001 @MUST
  Rule: A signature is a detached compact JWS

    Why: machines that join take it apart at its two dots and put the kubeconfig between them.
    Repair, for makers: write <header>..<signature>.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature is a detached compact JWS

  @JWS-002 @MUST
  Rule: The algorithm is HS256

    Why: it is the only one that machines accept.
    Repair, for makers: sign with HMAC-SHA256 and say "alg":"HS256".

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature says that its algorithm is HS256

  @JWS-003 @MUST
  Rule: The key id is the id of the token

    Why: the header is public; the whole token in it would give the secret away.
    Repair, for makers: write the six characters of the id as "kid".

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature names the token id of its key

  @JWS-004 @SHOULD
  Rule: The header has "alg" and "kid", and nothing else

    Why: kubeadm compares the whole text with its own; any other member, order or blank makes it refuse.
    Repair, for makers: write exactly {"alg":"HS256","kid":"<token id>"}.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature has a header of these two members and no other

  @JWS-005 @MUST
  Rule: What is signed is the exact text of the kubeconfig

    Why: machines sign the bytes that they have received, the last newline included.
    Repair, for makers: encode the value as it is, in base64url without padding.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature is made of the exact text of the kubeconfig

  @JWS-006 @MUST
  Rule: The HMAC covers header and payload in their encoded forms

    Why: a signature over the payload alone leaves the header to whoever wants to change it.
    Repair, for makers: sign the text <header>.<payload>.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature is made of header and payload, joined by a dot

  # Document 001 says that the whole token is the key. That sentence is an erratum: no release of Kubernetes has done
  # so, and the page was corrected in 2026. Both keys are tried, and the report says which one matched.
  @JWS-007 @MUST
  Rule: The key of the HMAC is the secret half of the token

    Why: it is what machines that join compute with; a signature with any other key is refused, and one with the id
    could be made by anybody.
    Repair, for makers: sign with the 16 characters after the dot.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature is made of the secret half of the token as its key

  @JWS-008 @MUST
  Rule: A signature is 32 bytes in base64url without padding

    Why: another encoding is another text, and is refused.
    Repair, for makers: write the HMAC as 43 characters of base64url.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature has 32 bytes, in base64url without padding

  @JWS-014 @MUST
  Rule: The payload is encoded in the ordinary way

    Why: the unencoded payload of RFC 7797 gives another HMAC, and needs members in the header that machines refuse.
    Repair, for makers: sign as RFC 7515 says, then take the payload out.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature covers its payload in the ordinary encoding

  @P-04 @MUST
  Rule: A signature is, byte for byte, the one that machines compute

    Why: they compare texts. The right HMAC in another header, order or encoding says to them that the cluster is false.
    Repair, for makers: compare with what "kubeadm join" computes of the same text and token.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature is byte for byte what a joining machine computes
