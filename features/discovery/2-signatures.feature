Feature: Which signatures a machine believes

  The signature of cluster-info has one canonical form. A machine makes it anew with its own token and compares.

  @DISC-013 @MUST
  Rule: The signature for the own token is verified before anything is used

    Why: a signature that is only there says nothing; everybody can write one.
    Repair, for makers: make the signature with the own token over the text as it came, and compare.

    Scenario: values that are no signature
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-empty           |
        | jws-blank           |
        | jws-garbage         |
        | jws-bit             |
        | jws-first-letter    |
        | jws-cut             |
        | jws-no-mac          |
        | jws-other-case      |
        | jws-2-segments      |
        | jws-4-segments      |
        | jws-json            |
        | jws-header-not-json |
      Then it trusts none of them

    Scenario: after looks that have failed
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-late-wrong       |
        | jws-wrong-after-503  |
        | jws-wrong-after-many |
      Then it trusts none of them

    Scenario: what stands beside the text that is signed
      When it is before each of these servers:
        | data-more        |
        | data-more-unsafe |
        | data-binary      |
      Then it joins each of them

    Scenario: forms that are not the canonical one, to a client that compares texts
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | jws-lastbits      |
        | jws-pad-signature |
        | jws-pad-header    |
        | jws-std-base64    |
        | jws-newline       |
        | jws-key-order     |
        | jws-space-header  |
        | jws-extra-typ     |
        | jws-dup-alg       |
      Then a client that speaks like kubeadm trusts none of them

  @JWS-009 @MUST
  Rule: No other algorithm than HS256 is believed

    Why: who may choose the algorithm chooses "none".
    Repair, for makers: demand alg HS256 in the header, and compute nothing else.

    Scenario: other algorithms
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-alg-none        |
        | jws-alg-none-signed |
        | jws-hs512           |
        | jws-hs384           |
        | jws-hs512-sha256    |
        | jws-rs256           |
        | jws-alg-lower       |
        | jws-no-alg          |
        | jws-crit            |
      Then it trusts none of them

  @JWS-010 @MUST
  Rule: The signature for the own token id counts, and no other

    Why: a signature for another id was made with another secret, by who knows that one.
    Repair, for makers: look at jws-kubeconfig-<own token id>, and demand that id in the header.

    Scenario: signatures of others
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-other-id   |
        | jws-longer-id  |
        | jws-beside     |
        | jws-elsewhere  |
        | jws-kid-other  |
        | jws-kid-longer |
        | jws-kid-upper  |
        | jws-kid-none   |
      Then it trusts none of them

  @JWS-011 @MUST
  Rule: A kubeconfig that was changed after signing is not believed

    Why: that is what a signature is for.
    Repair, for makers: verify over the bytes as they came; parse afterwards.

    Scenario: a changed text under its old signature
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-stale             |
        | jws-stale-comment     |
        | jws-stale-end         |
        | jws-stale-line-end    |
        | jws-stale-lines       |
        | jws-stale-document    |
        | mitm-stolen-signature |
      Then it trusts none of them

  @JWS-012 @MUST
  Rule: A signature with another secret does not verify

    Why: the secret half is what the true cluster knows and a stranger does not.
    Repair, for makers: key the HMAC with the secret half of the own token.

    Scenario: other secrets
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-wrong-secret               |
        | jws-wrong-secret-control-plane |
        | jws-half-secret                |
        | jws-full-token                 |
        | jws-id-secret                  |
        | jws-no-secret                  |
        | token-other-secret             |
      Then it trusts none of them

    Scenario: whatever else a machine is told
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | jws-wrong-secret-dry-run       |
        | jws-wrong-secret-control-plane |
        | jws-wrong-secret-ignored       |
        | jws-wrong-secret-verbose       |
      Then it trusts none of them

  @JWS-013 @SHOULD
  Rule: A signature with its payload inside is refused

    Why: who verifies the payload inside has not verified the one beside it.
    Repair, for makers: demand an empty middle part.

    Scenario: payloads inside
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-not-detached         |
        | jws-other-payload-inside |
      Then it trusts none of them
