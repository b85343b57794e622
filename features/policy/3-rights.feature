Feature: Rights as operators want them

  The documents name bindings; a policy asks who else has what they give, by whatever role and binding.

  @T-05 @MUST
  Rule: Nobody approves serving certificates by a right of home-made names

    Why: core Kubernetes never approves serving certificates; an approver that goes by "selfnodeserver" looks at nothing
    of the names that are asked for.
    Repair: take the right away, and run an approver that compares names and addresses with the Node.

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody is approved for serving by a right of his own

  @T-12 @SHOULD
  Rule: Nobody approves for kubelets and clients but who is known

    Why: whoever approves for these signers makes nodes, and users of any name.
    Repair: bind the right to approve to named signers only, or name the approver in the parameter "approvers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody approves for kubelets and clients but whom the policy names

  @T-24 @SHOULD
  Rule: First certificates without a human go to whom the policy names

    Why: whoever has that right gets a certificate in the name of any node.
    Repair: unbind them, or name them in the parameter "joiners"; an empty list means that a human approves each.

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody gets his first certificate without a human but whom the policy names

  @T-16 @MUST
  Rule: No token file lets machines in

    Why: the tokens of a file never end, lie in clear text on every control plane, and take a restart to revoke.
    Repair: use bootstrap tokens; remove --token-auth-file and the bindings of its users.

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then no binding is for the user of a token file
      And the flag "token-auth-file" of kube-apiserver, where it is published, is not given

  @P-19 @MUST
  Rule: The controllers of kube-controller-manager have credentials of their own

    Why: as one user they may write neither signatures nor approvals, and nothing but a log line says so.
    Repair: start kube-controller-manager with --use-service-account-credentials=true.

    Scenario: the flags of the controller manager
      Given kube-controller-manager publishes its flags
      Then the flag "use-service-account-credentials" of kube-controller-manager, where it is published, is "true"

  @T-19 @MUST
  Rule: Roles of a cloud make nodes under names of their own

    Why: a fixed name, or one that somebody chooses, makes every machine of the role the same node, or any.
    Repair: write "system:node:{{EC2PrivateDNSName}}" as the username of the entry in aws-auth.

    Scenario: the ConfigMap aws-auth
      Then aws-auth, where it is there, makes each node under a name of its own

  @T-14 @MUST
  Rule: Ways to join that others read are safe ones

    Why: ConfigMaps are read by many; a token there is everybody's, and a machine that joins without a pin believes
    whoever answers.
    Repair: remove the token, and give the pin of the CA: --discovery-token-ca-cert-hash sha256:….

    Scenario: every ConfigMap of the cluster
      Given every ConfigMap of the cluster
      Then each way to join that one tells is safe
