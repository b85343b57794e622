Feature: The tokens that kubeadm init makes

  kubeadm init ends with a token for the machines that are to join: the one it was given, or one of its own making,
  good for a day.

  @TOK-008 @MUST
  Rule: Init makes a token where none was given

    Why: without it no machine can join.
    Repair, for makers: let init fill in a random token when the configuration has none.

    Scenario: a cluster that was set up without naming a token
      Given the tokens that kubeadm init has made by itself
      Then there is at least one, for machines to join with

  @TOK-009 @MUST
  Rule: Init keeps a token that was given

    Why: machines that were installed with this token cannot join otherwise.
    Repair, for makers: fill in only what is empty.

    Scenario: a cluster that was set up with a token
      Given a cluster of ours, set up with one token that was given and one that was left open
      Then the given token is there, unchanged

  @TOK-010 @MUST
  Rule: Init fills in every token that was left open, and no other

    Why: an entry that stays empty is a token that nobody can use, or a Secret without a name.
    Repair, for makers: go through all entries of the configuration, and generate where the token is empty.

    Scenario: a configuration with two entries
      Given a cluster of ours, set up with one token that was given and one that was left open
      Then there are exactly two joining tokens, and one is new

  @TOK-011 @MUST
  Rule: A token is random, and no sample

    Why: the samples of the documentation are the first that an attacker tries.
    Repair: delete the token and make a new one with "kubeadm token create", which uses the random source of the
    system.

    Scenario: the tokens of init
      Given the tokens that kubeadm init has made by itself
      Then none is a sample of the documentation, or easily guessed

    Scenario: two clusters, set up in the same way
      Given a cluster of ours, set up with one token that was given and one that was left open
      Then no token that init made up is a token of the first cluster

  @SEC-018 @MUST
  Rule: The default token is in the group that kubeadm binds

    Why: with any other group a machine logs in and is then forbidden to ask for a certificate.
    Repair: set auth-extra-groups to "system:bootstrappers:kubeadm:default-node-token"; the part "kubeadm:" is easily
    forgotten.

    Scenario: the tokens of init
      Given the tokens that kubeadm init has made by itself
      Then each carries the group that kubeadm binds

  @SEC-019 @MUST
  Rule: The default token is good for signing and for authentication

    Why: without signing a joining machine waits in vain for its signature; without authentication it is refused after
    it has found one.
    Repair: set both usages to "true".

    Scenario: the tokens of init
      Given the tokens that kubeadm init has made by itself
      Then each is good for signing and for authentication

  @SEC-021 @MUST
  Rule: The default token expires after 24 hours

    Why: a token that is printed on a terminal and pasted into scripts must not stay good.
    Repair, for makers: let init write an expiration of 24 hours unless --token-ttl says otherwise.

    Scenario: a cluster that was set up without naming a time
      Given the tokens that kubeadm init has made by itself
      Then each expires 24 hours after its creation

  @SEC-022 @MUST
  Rule: The life of the default token can be chosen

    Why: an operator who asks for two hours must not get a day.
    Repair, for makers: write the given ttl into the expiration.

    Scenario: a cluster that was set up with a ttl of 2 hours
      Given a cluster of ours, set up with one token that was given and one that was left open
      Then the given token lives 2 hours

    Scenario: a cluster that was set up with a ttl of nothing
      Given a cluster of ours, set up with a token that was given and a ttl of 0
      Then the given token never ends

  @SEC-023 @MUST
  Rule: Making the tokens a second time is no error

    Why: a phase that stops at "already exists" leaves roles, bindings and cluster-info unwritten.
    Repair, for makers: create or update each Secret.

    Scenario: the phase runs twice
      Given a cluster of ours without bootstrap token authentication and without a signer
      When the bootstrap-token phase of init runs a second time
      Then the second run succeeds
      And every token of the first run is there once
