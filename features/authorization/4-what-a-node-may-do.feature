Feature: What a node may do

  A node's certificate names it: CN system:node:<name>, O system:nodes. The Node authorizer grants what concerns its own Pods, and
  the admission plug-in NodeRestriction keeps its writes to its own objects.

  @NODE-001 @MUST
  Rule: A node reads the Pods bound to it and writes their status

    Why: without it no Pod ever leaves Pending.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.

    Scenario: its own Pods
      Given two nodes with certificates of their own
      And a Pod that is bound to the first node
      Then the first node lists the Pods bound to it
      And the first node may report the status of that Pod

    @since:1.32
    Scenario: the Pods of others
      Given two nodes with certificates of their own
      And a Pod that is bound to the first node
      Then the second node is forbidden to list the Pods bound to the first
      And the second node is forbidden to list all Pods

  @NODE-002 @MUST
  Rule: A node reports its own status

    Why: a Node that nobody reports turns NotReady after 40 seconds.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC; see that the certificate's CN is
    system:node:<name> and its O is system:nodes.

    Scenario: its Node and its Lease
      Given two nodes with certificates of their own
      Then the first node registers itself
      And the first node may report its own status
      And the first node may renew its own Lease

  @NODE-003 @MUST
  Rule: A node creates Events

    Why: they are how people learn what a kubelet did.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.

    Scenario: an Event
      Given two nodes with certificates of their own
      Then the first node may create an Event

  @NODE-006 @MUST
  Rule: A node is limited to its own objects

    Why: one compromised node must not take others down or over.
    Repair: start kube-apiserver with --enable-admission-plugins=NodeRestriction.

    Scenario: another node
      Given two nodes that may report their own status
      Then the first node is forbidden to report the status of the second
      And the first node is forbidden to label itself "node-restriction.kubernetes.io/tier"
      And the first node is forbidden to renew the Lease of the second

    Scenario: a Pod of another node
      Given two nodes that may report their own status
      And a Pod that is bound to the second node, which may delete it
      Then the first node is forbidden to delete that Pod

  @NODE-007 @MUST
  Rule: A node certificate gives no administrator's rights

    Why: there are as many node certificates as machines.
    Repair: delete the binding that is named.

    Scenario: all that RBAC gives to nodes, whoever gave it
      Given the roles and bindings of the cluster
      Then a node holds no permissions but these:
        | verbs  | what                                                          | because                      |
        | create | certificatesigningrequests.certificates.k8s.io/selfnodeclient | renewals are approved        |
        | get    | configmaps named kubelet-config in kube-system                | configures the kubelet       |
        | get    | configmaps named kubeadm-config in kube-system                | upgrades                     |
        | create | selfsubjectaccessreviews.authorization.k8s.io                 | every authenticated user may |
        | create | selfsubjectrulesreviews.authorization.k8s.io                  | every authenticated user may |
        | create | selfsubjectreviews.authentication.k8s.io                      | every authenticated user may |
        | get    | /api, /api/*, /apis, /apis/*, /openapi, /openapi/*            | every authenticated user may |
        | get    | /healthz, /livez, /readyz, /version, /version/                | every authenticated user may |

    Scenario: the real requests
      Given two nodes that may report their own status
      Then the first node is forbidden to:
        | verb   | what                                          | where       | name      |
        | list   | secrets                                       |             |           |
        | list   | secrets                                       | kube-system |           |
        | create | clusterrolebindings.rbac.authorization.k8s.io |             |           |
        | delete | nodes                                         |             | jp-absent |

  @NODE-008 @SHOULD
  Rule: A node reads only what its Pods use

    Why: a node that reads every Secret makes each machine as precious as the control plane.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC and take the group system:nodes out of the
    ClusterRoleBinding "system:node".

    Scenario: a Secret that a Pod uses, and one that none uses
      Given two nodes that may report their own status
      And a Secret that a Pod on the first node uses, which the node reads
      And a Secret that no Pod uses
      Then the first node is forbidden to read the Secret that no Pod uses
      And the second node is forbidden to read the Secret that a Pod on the first node uses
