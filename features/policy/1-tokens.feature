Feature: Tokens as their operators want them

  No document says how long a token may live or how many machines may share it. A token is a node that has not come yet:
  whoever has one may ask for a certificate in any node's name. These rules fail a run only where the profile demands
  them; elsewhere what they find is told as advice. Their limits are parameters of the profile.

  @T-01 @MUST
  Rule: A token ends, and soon

    Why: a token that never ends outlives everybody who knows of it, and nobody takes it from whom it has leaked to.
    Repair: delete the token and make one with "kubeadm token create --ttl 2h" when a machine is to join.

    Scenario: every token has an end
      Given every bootstrap token Secret
      Then each has an end

    Scenario: none is made for long
      Given every bootstrap token Secret
      Then each is valid for no longer than the policy lets it

    Scenario: none is kept alive by putting off its end
      Given every bootstrap token Secret
      Then each is no older than the policy lets it

  @T-02 @MUST
  Rule: A secret half is not weak, and not known

    Why: there is no lockout, and every signature of cluster-info tells a guesser whether he was right, far from the API
    server.
    Repair: delete the token and make a new one with "kubeadm token create", which uses the random source of the system.

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then none can be guessed

    Scenario: every signature, as a stranger sees it
      Then no signature of cluster-info is made with a published secret half

  @T-03 @SHOULD
  Rule: A token carries groups that are meant for it

    Why: whatever is bound to a group goes to all who carry it, and nobody looks at tokens when a binding is made.
    Repair: make the token without the group, or name the group in the parameter "tokenGroups".

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each carries groups of the policy alone

  @T-09 @SHOULD
  Rule: A token that has ended is cleaned away

    Why: where ended tokens stay the token cleaner does not run, and a clock that is set back opens them again.
    Repair: run kube-controller-manager with the token cleaner (--controllers=*,bootstrapsigner,tokencleaner).

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then none is kept long after its end

  @T-11 @SHOULD
  Rule: A token brings few machines

    Why: a token that many machines were given lies in many places, and its holder may be any node.
    Repair: make a token for each machine, or raise the parameter "machinesPerToken".

    Scenario: every request of a token
      Given the certificate requests of the cluster
      Then no token brings more machines than the policy lets it

  @T-25 @SHOULD
  Rule: A token is for something

    Why: a token without a usage does nothing, and whoever made it believes that it does.
    Repair: delete it, or set the usage that was meant to "true".

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then each is for something

  @P-130 @SHOULD
  Rule: A usage is "true" or "false"

    Why: "True", "yes" and "true " switch nothing on, whatever their writer believes.
    Repair: write "true", or remove the key.

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then the usages of each are on or off

  @P-131 @SHOULD
  Rule: The end and the groups of a token stand under their own keys

    Why: whoever writes "expires" or "auth-groups" gets a token that never ends, or that opens nothing, and hears of
    neither.
    Repair: write "expiration" and "auth-extra-groups".

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then none has its end or its groups under another key

  @P-132 @SHOULD
  Rule: A token that logs in opens something

    Why: a machine that joins with a token of no group, or of one that nobody has bound, is let in and may then nothing.
    Repair: set auth-extra-groups to a group that is bound, or leave "usage-bootstrap-authentication" out.

    Scenario: every token that logs in
      Given the roles and bindings of the cluster
      Then some binding names a group of every token that logs in

  @P-133 @SHOULD
  Rule: A token that was deleted is gone

    Why: a finalizer keeps it in the lists and its signature in cluster-info, while nobody can log in with it.
    Repair: remove the finalizers of its Secret.

    Scenario: every token of the cluster
      Given every bootstrap token Secret
      Then none is kept long after its deletion

  @T-26 @SHOULD
  Rule: A token signs only what is read

    Why: its signature gives everybody who reads cluster-info something to guess at, and where strangers do not read it
    no machine needs the signature.
    Repair: make tokens with "--usages authentication" where machines discover the cluster by a file.

    Scenario: every token for signing
      Given every bootstrap token Secret
      Then each that is for signing signs what strangers may read

  @P-371 @SHOULD
  Rule: cluster-info is signed for every token for it

    Why: a machine that joins with a token that is not signed for waits until it gives up, and no log of it says why.
    Repair: see whether kube-controller-manager runs with bootstrapsigner in --controllers, and what its log says.

    Scenario: every token for signing
      Given kube-controller-manager is to sign cluster-info
      And every bootstrap token Secret
      Then each that is for signing is signed for

  @T-13 @MUST
  Rule: The certificates that control planes share do not stay

    Why: kubeadm-certs holds the keys of the CAs; with its key and any token whoever reads it is the cluster.
    Repair: delete the Secret kube-system/kubeadm-certs; "kubeadm init phase upload-certs --upload-certs" makes it anew.

    Scenario: the Secret kubeadm-certs
      Given the certificates that control planes share
      Then they are not kept for longer than the policy lets them

  @P-164 @MUST
  Rule: The certificates that control planes share are encrypted, and end

    Why: what is in clear there is every control plane's for all who read Secrets of kube-system, and what belongs to no
    token is never taken away.
    Repair: delete the Secret kube-system/kubeadm-certs, and renew the CAs if their keys lay there in clear; "kubeadm init
    phase upload-certs --upload-certs" makes it anew.

    Scenario: the Secret kubeadm-certs
      Given the certificates that control planes share
      Then they are encrypted, and end with a token

  @P-355 @SHOULD
  Rule: The certificates that control planes share are all there

    Why: a control plane that joins looks for each of them by its name, and gives up at the first that is missing.
    Repair: "kubeadm init phase upload-certs --upload-certs" on a control plane that has them all makes the Secret anew.

    Scenario: the Secret kubeadm-certs
      Given the certificates that control planes share
      Then they are all that a control plane that joins looks for

  @P-07 @SHOULD
  Rule: Of former uploads no token is left

    Why: each of them is a Secret that looks like a token and that somebody has to explain; one that signs or logs in is a
    token that nobody knows of.
    Repair: delete the tokens described as a proxy for kubeadm-certs that do not own it, and take usages and groups of
    the one that does away.

    Scenario: the owners of kubeadm-certs
      Given the certificates that control planes share
      Then no token is left of former uploads
