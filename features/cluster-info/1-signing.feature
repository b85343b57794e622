Feature: Who signs cluster-info, and for whom

  The bootstrap signer, a controller of kube-controller-manager, signs the kubeconfig in cluster-info once for every
  token that is good for signing. A machine that knows the token can so tell the true cluster from a false one.

  @SIGN-001 @MUST
  Rule: The bootstrap signer is switched on

    Why: it is off unless named; a joining machine then waits for a signature that never comes.
    Repair: start kube-controller-manager with --controllers=*,bootstrapsigner,tokencleaner and
    --use-service-account-credentials=true.

    Scenario: the flag, or what it does
      Then the bootstrap signer is on, by its flag where that is published and by what it does elsewhere

  @SIGN-002 @MUST
  Rule: Only cluster-info in kube-public is signed

    Why: a signature says "this is the cluster"; on another text it would say so of that.
    Repair, for makers: sign the one ConfigMap, by namespace and name.

    Scenario: other ConfigMaps with a kubeconfig
      Given other ConfigMaps with a kubeconfig:
        | name         | namespace   |
        | cluster-info | default     |
        | cluster-info | kube-system |
        | jp-other     | kube-public |
        | jp-other     | kube-system |
        | jp-other     | default     |
      When another signing token is made and signed for
      Then none of the other ConfigMaps is signed

  @SIGN-003 @MUST
  Rule: Every token that is good for signing has its signature in cluster-info

    Why: a machine looks for the key "jws-kubeconfig-" with the id of its own token.
    Repair: see that the signer runs and may update the ConfigMap; look at its log.

    Scenario: every signing token of the cluster
      Then every token that is good for signing has its signature

    Scenario: tokens that are good for nothing else
      Given a good signing token, and one for each of these lines:
        | what                           | token-secret | auth-extra-groups                              | id        |
        | a group that is none of tokens |              | system:masters                                 |           |
        | a blank between two groups     |              | system:bootstrappers:a, system:bootstrappers:b |           |
        | an id that looks like a number |              |                                                | of digits |
        | a short half                   | abc          |                                                |           |
        | a long half                    | <secret>0123 |                                                |           |
        | a half with a line end         | "<secret>\n" |                                                |           |
        | a half with a blank before it  | " <secret>"  |                                                |           |
        | a half in capitals             | <SECRET>     |                                                |           |
      Then each of them is soon signed for

  @P-392 @SHOULD
  Rule: A token is signed for until it is gone

    Why: the machine that joins with it just now waits for the signature; who wants it to end at once takes its usage away.
    Repair, for makers: look at the Secret's usage and expiration alone.

    Scenario: a token that waits for its deletion
      Given a bootstrap token that is signed for
      When a finalizer is put on its Secret
      And its Secret is being deleted, held by a finalizer
      And another signing token is made and signed for
      Then cluster-info soon holds a signature that it verifies

  @SIGN-004 @MUST
  Rule: A token that is not for signing has no signature

    Why: every signature can be tried against guesses of its secret.
    Repair, for makers: sign only where usage-bootstrap-signing is "true".

    Scenario: tokens for logging in alone
      Given a good signing token, and one for each of these lines:
        | usage-bootstrap-signing |
        | (absent)                |
        | (empty)                 |
        | false                   |
      Then the good one is signed for and the others are not

    Scenario: the usage under another name
      Given a good signing token, and one for each of these lines:
        | usage-bootstrap-signing | usage-signing | usage-bootstrap-signature |
        | (absent)                | true          | true                      |
      Then the good one is signed for and the others are not

  @SIGN-005 @MUST
  Rule: An expired token is not signed for

    Why: a token that leaked long ago must not be able to vouch for a false cluster.
    Repair, for makers: compare the expiration with the clock at every signing. Nothing happens at the instant itself:
    the cleaner's deletion is what the signer hears of.

    Scenario: tokens that have expired from the start
      Given a good signing token, and one for each of these lines:
        | expiration                    |
        | 1 hour ago                    |
        | 2017-03-10T03:22:11Z          |
        | garbage                       |
        | 1 hour ago, written at +09:00 |
      Then the good one is signed for and the others are not

    Scenario: where nobody cleans
      Given a cluster of ours without a token cleaner
      And a good signing token, and one for each of these lines:
        | expiration           |
        | 1 hour ago           |
        | 2017-03-10T03:22:11Z |
        | garbage              |
      Then the good one is signed for and the others are not

    Scenario: tokens that have not, however they say so
      Given a good signing token, and one for each of these lines:
        | expiration                   |
        | (absent)                     |
        | in 1 hour, written at -09:00 |
      Then each of them is soon signed for

    Scenario: a token that expires after it was signed for, and a change after that
      Given a cluster of ours without a token cleaner
      And a bootstrap token that expires in 15 seconds and is signed for
      When 16 seconds have passed
      And another signing token is made and signed for
      Then its signature soon disappears

  @SIGN-006 @MUST
  Rule: With a token, or its usage, goes its signature

    Why: a revoked token must not vouch for anything.
    Repair, for makers: make all signatures anew at every change of a token.

    Scenario: the token is deleted
      Given a bootstrap token that is signed for
      When its Secret is deleted
      Then its signature soon disappears

    Scenario: the token is deleted, and another is not
      Given a bootstrap token that is signed for
      And another signing token is made and signed for
      When its Secret is deleted
      Then its signature soon disappears
      And the other one is signed for as before

    Scenario Outline: <what>
      Given a bootstrap token that is signed for
      When the value of "<key>" in its Secret is now <value>
      Then its signature soon disappears

      Examples:
        | what                       | key                     | value      |
        | the usage is withdrawn     | usage-bootstrap-signing | (absent)   |
        | the usage is switched off  | usage-bootstrap-signing | false      |
        | its time is over           | expiration              | 1 hour ago |
        | its id is another's        | token-id                | zzzzzz     |
        | its secret half is removed | token-secret            | (absent)   |

  @SIGN-007 @MUST
  Rule: Another kubeconfig is signed anew

    Why: after a change of the CA or of the address old signatures make every join fail.
    Repair, for makers: make all signatures anew when the ConfigMap changes.

    Scenario: a comment and a blank line are added
      Given a cluster of ours without a token cleaner
      And a bootstrap token that is signed for
      When the kubeconfig of cluster-info is written anew, with a comment and a blank line
      Then every signature soon verifies over the new text

    Scenario: other letters, and as many
      Given a cluster of ours without a token cleaner
      And a signing bootstrap token
      When the kubeconfig of cluster-info is written anew twice, with as many letters, and then as it was
      Then its signature verified over each of the texts

  @SIGN-008 @MUST
  Rule: Another secret half is signed with anew

    Why: the old half may have leaked, which is why it was changed.
    Repair, for makers: keep no signature by the id of its token alone.

    Scenario: the secret half is changed
      Given a bootstrap token that is signed for
      When its secret half is changed
      Then cluster-info soon holds a signature that it verifies

  @SIGN-009 @MUST
  Rule: Each token has a signature of its own

    Why: a machine verifies with its own secret, and knows no other.
    Repair, for makers: keep one key a token, and sign with that token's secret.

    Scenario: every signature of the cluster
      Given the signatures of cluster-info, and the tokens that it is signed for
      Then each signature verifies with its own token and with no other

    Scenario: two tokens, made one after the other
      Given a good signing token, and one for each of these lines:
        | what           |
        | made before it |
      Then cluster-info soon holds a signature that it verifies
      And each of them is soon signed for
      And each signature that is there by now verifies with its own token and with no other

  @SIGN-010 @MUST
  Rule: The signer does not touch the kubeconfig

    Why: the text is what is signed; who writes it anew changes what machines will trust.
    Repair, for makers: sign the bytes as they are, and write only signatures.

    Scenario: the text that is there
      Given the text of the kubeconfig in cluster-info
      When another signing token is made and has a signature
      Then the kubeconfig is byte for byte what it was

    Scenario: a text that nobody would write so
      Given a cluster of ours without a token cleaner
      When the kubeconfig of cluster-info is written anew, with a comment and a blank line
      And another signing token is made and has a signature
      Then the kubeconfig is byte for byte what was written

  @P-336 @MUST
  Rule: The signer leaves alone what else stands in cluster-info

    Why: others keep there what those who join look at.
    Repair, for makers: change keys that begin with "jws-kubeconfig-" alone.

    Scenario: notes of somebody
      Given a cluster of ours without a token cleaner
      When something else is put into cluster-info
      And another signing token is made and signed for
      Then it stands there as it was put

  @SIGN-011 @MUST
  Rule: Only real tokens are signed for

    Why: whoever can write Secrets in a namespace of his own must not get cluster-info signed with a key that he knows.
    Repair, for makers: take Secrets of the type, in kube-system, whose name and token-id agree.

    Scenario: Secrets that are not quite tokens
      Given a good signing token, and one for each of these lines:
        | what                      | namespace   | type   | token-id   | token-secret | name                  |
        | another namespace         | default     |        |            |              |                       |
        | the ConfigMap's namespace | kube-public |        |            |              |                       |
        | another type              |             | Opaque |            |              |                       |
        | name and id disagree      |             |        | <other id> |              |                       |
        | an id of seven characters |             |        | <id>0      |              | bootstrap-token-<id>0 |
        | more behind the id        |             |        |            |              | bootstrap-token-<id>0 |
        | no id                     |             |        | (absent)   |              |                       |
        | an empty id               |             |        | (empty)    |              |                       |
        | no secret                 |             |        |            | (absent)     |                       |
        | an empty secret           |             |        |            | (empty)      |                       |
        | a name without the prefix |             |        |            |              | jp-<id>               |
      Then the good one is signed for and the others are not

  @SIGN-012 @MAY
  Rule: A signature comes a little later, but never half-made

    Why: machines wait while the key is absent; an empty or unfinished value ends the join at once.
    Repair, for makers: write the key together with its signature.

    Scenario: the first value that can be seen
      Given a signing bootstrap token, made when cluster-info was known
      Then the first thing that cluster-info holds for it is a good signature

  @SIGN-013 @MUST
  Rule: Where the signer is off, there is no signature

    Why: a signature that init writes by itself goes stale with the first change.
    Repair, for makers: leave signing to the signer.

    Scenario: a cluster that was set up without it
      Given a cluster of ours without bootstrap token authentication and without a signer
      And a signing bootstrap token
      When 3 seconds have passed
      Then cluster-info holds the kubeconfig and no signature

  @SIGN-014 @MUST
  Rule: A token for signing alone is signed for

    Why: the two usages are independent; such a token proves the cluster and opens nothing.
    Repair, for makers: look at usage-bootstrap-signing only.

    Scenario: without the usage for authentication
      Given a signing bootstrap token with:
        | usage-bootstrap-authentication | (absent) |
      Then cluster-info soon holds a signature that it verifies

  @SIGN-015 @MUST
  Rule: Signatures of no token are removed

    Why: a foreign key beside the signatures may vouch for another text.
    Repair, for makers: drop every "jws-kubeconfig-" key that no token accounts for, at every signing.

    Scenario: every signature of the cluster
      Then each signature is of a token that is in the cluster and for signing

    Scenario: every signature, once more has been signed
      When another signing token is made and signed for
      Then each signature is of a token that was good for signing then

    Scenario: signatures that somebody has put there
      Given a cluster of ours without a token cleaner
      And a bootstrap token that is signed for
      When signatures of nobody are put into cluster-info, under keys that end with:
        | <id>    | as of a token       |
        | (empty) | of nothing          |
        | ABCDEF  | of capitals         |
        | abcdefg | of seven characters |
        | ab.cdef | of a dot            |
      Then none of them stays there

  @SIGN-016 @SHOULD
  Rule: A signature that was tampered with is restored

    Why: otherwise one careless edit stops every join with that token.
    Repair, for makers: compare signatures, not just their keys.

    Scenario Outline: the signature of a good token is <meddling>
      Given a cluster of ours without a token cleaner
      And a bootstrap token that is signed for
      When its signature is <meddling>
      Then cluster-info soon holds a signature that it verifies

      Examples:
        | meddling    |
        | overwritten |
        | emptied     |
        | removed     |

  @SIGN-017 @MUST
  Rule: Without a kubeconfig nothing is signed

    Why: where no text is published there is none to vouch for; a text without a letter is one, and has its signature.
    Repair, for makers: wait until the key is there, and sign its value whatever that is.

    Scenario: the kubeconfig is taken away for a while
      Given a cluster of ours without a token cleaner
      And a bootstrap token that is signed for
      When the kubeconfig is taken out of cluster-info
      Given a signing bootstrap token
      When 3 seconds have passed
      Then cluster-info holds nothing for it
      And what was signed of it is there as before
      When the kubeconfig is put back
      Then cluster-info soon holds a signature that it verifies

    Scenario: a kubeconfig of no text
      Given a cluster of ours without a token cleaner
      When a signing bootstrap token is made while the kubeconfig of cluster-info is empty
      Then its signature verified over each of the texts
