Feature: How a token is kept

  Every token lies in a Secret of its own: type bootstrap.kubernetes.io/token, namespace kube-system, named after the
  id of the token. The API server checks nothing of that when the Secret is written. It only refuses the token later.

  @SEC-002 @MUST
  Rule: A token's Secret has the type bootstrap.kubernetes.io/token

    Why: whatever has another type opens nothing, signs nothing and is never cleaned away.
    Repair: delete the Secret and make it again; the type of a Secret cannot be changed.

    Scenario: every Secret that is named like a token's
      Given every Secret of kube-system that is named like a bootstrap token
      Then each has the type of a bootstrap token

  @SEC-003 @MUST
  Rule: A token's Secret is named bootstrap-token- and the token id

    Why: the API server finds the Secret by this name alone.
    Repair: make the Secret again under the right name.

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each is named after a token id

  @SEC-004 @MUST
  Rule: The name of a Secret and its token-id agree

    Why: a Secret that says two ids logs nobody in and is not signed for.
    Repair: make the Secret again with one id.

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each name ends in the token id of its Secret

  @SEC-005 @MUST
  Rule: A token's Secret lies in kube-system

    Why: in another namespace it is no token, but still a secret that somebody meant to keep.
    Repair: delete it there, and make the token in kube-system.

    Scenario: every token of all namespaces
      Given every bootstrap token Secret of all namespaces
      Then each lies in kube-system

  @SEC-006 @MUST
  Rule: A token's Secret has its token-id

    Why: the id in the name is not believed; without the key nobody logs in.
    Repair: add the key "token-id".

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each has the key "token-id"

  @SEC-007 @MUST
  Rule: A token's Secret has its token-secret

    Why: without the key nobody logs in and nothing is signed.
    Repair: add the key "token-secret".

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each has the key "token-secret"

  @SEC-010 @MUST
  Rule: An expiration is an RFC 3339 timestamp

    Why: whatever else it is, Kubernetes takes it for expired: the token is dead from birth, and the cleaner deletes
    it.
    Repair: write it as kubeadm does, for example 2027-03-10T03:22:11Z.

    Scenario: every token of the cluster that expires
      Given every bootstrap token Secret
      Then each expiration is an RFC 3339 timestamp

  @SEC-012 @MUST
  Rule: The purposes of a token are named by the two known keys

    Why: a key that is misspelt, or that nobody knows, gives no permission although it looks like one.
    Repair: use "usage-bootstrap-authentication" and "usage-bootstrap-signing"; remove other keys that begin with
    "usage".

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each names none but the two known usages

  @SEC-015 @MAY
  Rule: Extra groups are a list with commas

    Why: nothing is trimmed, so one blank, one empty item or another separator makes every login with the token fail.
    Repair: write "system:bootstrappers:worker,system:bootstrappers:ingress".

    Scenario: every token of the cluster that has extra groups
      Given every bootstrap token Secret
      Then each list of extra groups is separated by commas alone

  @SEC-016 @MUST
  Rule: Every extra group begins with system:bootstrappers:

    Why: one group of another name, and the API server refuses every login with the token.
    Repair: name a group below "system:bootstrappers:" and bind that group.

    Scenario: every token of the cluster that has extra groups
      Given every bootstrap token Secret
      Then each extra group begins with "system:bootstrappers:"

  @SEC-020 @MUST
  Rule: Values under data are base64

    Why: a plain value that happens to be base64 is accepted and stored as garbage; the login is then refused and
    nothing says why.
    Repair: put plain values under "stringData", or encode them.

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each value is the base64 of its text
