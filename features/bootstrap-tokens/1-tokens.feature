Feature: What a bootstrap token is

  A bootstrap token is a short text of two parts, "07401b.f395accd246ae52d". The first part is its id: public, part of
  names, logs and signatures. The second is the secret: whoever knows it can ask for a place in the cluster.

  @TOK-001 @MUST
  Rule: A token has 6 and 16 characters of a-z and 0-9, joined by a dot

    Why: the API server compares the whole text with this form and takes everything else for no bootstrap token at
    all.
    Repair: delete the Secret and make a token with "kubeadm token create", or with a generator of your own that keeps
    to a-z and 0-9.

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each id and secret half together have the form of a token

  @TOK-002 @MUST
  Rule: A token is two parts with one dot between them

    Why: a parser that cuts at the first dot, or finds the token somewhere in a longer text, accepts what nobody has
    issued.
    Repair, for makers: compare the whole text with the form, from its first to its last character.

    Scenario: a good token, written in other ways
      Given a bootstrap token that logs in
      Then a login is refused that writes it as:
        | <id><secret>                           |
        | <id>.<secret>.junk                     |
        | <id>.<secret>.                         |
        | .<id>.<secret>                         |
        | <id>..<secret>                         |
        | <id>..<first 15 of the secret>         |
        | <id>.<secret>.<secret>                 |
        | <id>.<secret><secret>                  |
        | <id>.<secret>,<id>.<secret>            |
        | <id>:<secret>                          |
        | <id>-<secret>                          |
        | x<id>.<secret>99                       |
        | <id>.<secret>0                         |
        | <id>.<secret><many zeros>              |
        | 0<id>.<secret>                         |
        | <first 5 of the id>.<secret>           |
        | <id>.<first 15 of the secret>          |
        | <id>.<last 15 of the secret>           |
        | <ID>.<SECRET>                          |
        | <ID>.<secret>                          |
        | <id>.<SECRET>                          |
        | .<secret>                              |
        | <id>.                                  |
        | .                                      |
        | bootstrap-token-<id>.<secret>          |
        | "<id>. <secret>"                       |
        | "<id> .<secret>"                       |
        | <id>.<secret><tab>more                 |
        | ""<id>.<secret>""                      |
        | <id>.<secret>,                         |
        | <id>.<secret>;                         |
        | <id>%2E<secret>                        |
        | <id>.<secret>%0A                       |
        | <token in percent encoding>            |
        | <token in base64>                      |
        | <id><full-width dot><secret>           |
        | <id>.<secret in full-width characters> |
        | <id>.<secret><zero-width blank>        |

  @TOK-003 @MUST
  Rule: A token id has exactly 6 characters of a-z and 0-9

    Why: the id is the name under which the API server looks for the Secret.
    Repair: delete the Secret and make a new token.

    Scenario: every token id of the cluster
      Given every bootstrap token Secret
      Then each token id has 6 characters of a-z and 0-9

  @TOK-004 @MUST
  Rule: A token secret has exactly 16 characters of a-z and 0-9

    Why: nobody can log in with another one, although the signer signs for it.
    Repair: delete the Secret and make a new token.

    Scenario: every secret half of the cluster
      Given every bootstrap token Secret
      Then each secret half has 16 characters of a-z and 0-9

  @TOK-005 @MUST
  Rule: The usable token is the id, a dot and the secret half of one Secret

    Why: a server that looks at the secret half alone lets in who never knew the id, and cannot say who it was.
    Repair, for makers: look the Secret up by the id, then compare its secret half.

    Scenario: the two halves of a Secret
      Given a bootstrap token that logs in, and another
      Then a login is refused that writes it as:
        | <secret>                   |
        | .<secret>                  |
        | <unknown id>.<secret>      |
        | <id of the other>.<secret> |
        | <id>.<secret of the other> |
        | <id>                       |

  @TOK-007 @MUST
  Rule: The secret half stands in no object that others may read

    Why: ConfigMaps, Events, Nodes and certificate requests are read by many who are not trusted with a token.
    Repair: delete the token, then remove it from the object that is named.

    Scenario: every token of the cluster, looked for elsewhere
      Given every bootstrap token Secret
      Then no object that others read shows a secret half

  @TOK-014 @MAY
  Rule: Several tokens work side by side

    Why: tokens are made for single machines and single days; a new one must not end the others.
    Repair, for makers: keep tokens apart by their ids.

    Scenario: two tokens, used in turn
      Given two bootstrap tokens
      Then each of their bearers logs in under the id of its own token, in any order
      When the API server can no longer remember a login
      Then each of their bearers logs in under the id of its own token, in any order

    Scenario: one of two tokens ends
      Given a bootstrap token that logs in, and another
      When its Secret is deleted
      And the API server can no longer remember a login
      Then its bearer is refused
      And the other bearer logs in

    Scenario: two tokens for signing
      Given a good signing token, and one for each of these lines:
        | description |
        | another one |
      Then each of them is soon signed for
      And cluster-info soon holds a signature that it verifies

  @TOK-018 @MAY
  Rule: One token serves many machines

    Why: a token that dies with its first use strands every machine but one.
    Repair, for makers: end tokens by their expiration or by deletion, not by use.

    Scenario: one token, used again and again
      Given a bootstrap token
      Then its bearer logs in 3 times
      When the API server can no longer remember a login
      Then its bearer logs in
      When the API server can no longer remember a login
      Then its bearer logs in

    Scenario: one token, two machines
      Given a bootstrap token with:
        | auth-extra-groups | system:bootstrappers:kubeadm:default-node-token |
      Then its bearer logs in
      And two machines join with it, one after the other
