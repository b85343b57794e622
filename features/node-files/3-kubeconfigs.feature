Feature: The kubeconfigs of a node

  Each part of the control plane has an identity of its own. kubeadm keeps whatever lies there as long as it names
  the right CA.

  @KCFG-001 @MUST
  Rule: A bootstrap kubeconfig has one credential

    Why: with none the kubelet cannot ask for a certificate, with two nobody knows which one counts.
    Repair: write the file anew with "kubeadm join", or remove it where kubelet.conf works.

    Scenario: as it lies there
      Given the disk of a node
      Then a bootstrap kubeconfig has one credential

  @KCFG-002 @MUST
  Rule: The kubelet is in the group system:nodes, and in no other

    Why: the node authorizer lets only that group in; another group may do too much.
    Repair: move kubelet.conf away, run "kubeadm init phase kubeconfig kubelet" and restart who uses it.

    Scenario: as it lies there
      Given the disk of a node
      Then the user of "kubelet.conf" is in the group of nodes alone

  @KCFG-003 @MUST
  Rule: The kubelet is system:node: and the name of the node

    Why: the node authorizer and admission go by that name: with another one the kubelet may not touch its own Node.
    Repair: move kubelet.conf away, run "kubeadm init phase kubeconfig kubelet" and restart who uses it.

    Scenario: as it lies there
      Given the disk of a node
      Then the user of "kubelet.conf" is the node
      And the certificate of "kubelet.conf" can be used

  @KCFG-004 @MUST
  Rule: controller-manager.conf is for system:kube-controller-manager

    Why: the rights of the controllers are bound to that user.
    Repair: move controller-manager.conf away, run "kubeadm init phase kubeconfig controller-manager" and restart
    who uses it.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the user of "controller-manager.conf" is "system:kube-controller-manager", in no group
      And the certificate of "controller-manager.conf" can be used

  @KCFG-005 @MUST
  Rule: scheduler.conf is for system:kube-scheduler

    Why: the rights of the scheduler are bound to that user.
    Repair: move scheduler.conf away, run "kubeadm init phase kubeconfig scheduler" and restart who uses it.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the user of "scheduler.conf" is "system:kube-scheduler", in no group
      And the certificate of "scheduler.conf" can be used

  @KCFG-006 @MUST
  Rule: admin.conf is for administrators

    Why: it is what administrators and kubeadm itself work with.
    Repair: move admin.conf away, run "kubeadm init phase kubeconfig admin" and restart who uses it.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the user of "admin.conf" is "kubernetes-admin", in one of the groups "kubeadm:cluster-admins, system:masters"
      And super-admin.conf, where it is there, is for the administrator whom nothing stops

  @KCFG-007 @MUST
  Rule: The certificate in admin.conf can be used

    Why: a file that kubectl reads and the API server refuses is found out in an emergency.
    Repair: move admin.conf away, run "kubeadm init phase kubeconfig admin" and restart who uses it.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the certificate of "admin.conf" can be used

  @KCFG-010 @MUST
  Rule: Every kubeconfig embeds ca.crt

    Why: with another CA its user believes another cluster, or nobody.
    Repair: move the file away and run "kubeadm init phase kubeconfig all".

    Scenario: as it lies there
      Given the disk of a node
      Then these kubeconfigs embed the cluster's CA:
        | admin.conf              |
        | super-admin.conf        |
        | kubelet.conf            |
        | controller-manager.conf |
        | scheduler.conf          |
        | bootstrap-kubelet.conf  |

  @KCFG-012 @MUST
  Rule: No kubeconfig asks another cluster

    Why: kubeadm only warns of a file with another server, and keeps it; Services lead nowhere before a kubelet runs.
    Repair: move the file away and run "kubeadm init phase kubeconfig all".

    Scenario: as it lies there
      Given the disk of a node
      Then these kubeconfigs ask a server of the cluster:
        | admin.conf             |
        | super-admin.conf       |
        | kubelet.conf           |
        | bootstrap-kubelet.conf |
      And the kubelet does not ask the Service of the API server
      And these kubeconfigs ask without a proxy:
        | admin.conf              |
        | super-admin.conf        |
        | kubelet.conf            |
        | controller-manager.conf |
        | scheduler.conf          |
        | bootstrap-kubelet.conf  |

  @P-18 @MUST
  Rule: Every kubeconfig verifies the server

    Why: whoever stands on the way gets the token, and the kubelet keeps what it has once been told.
    Repair: take insecure-skip-tls-verify away, and embed the CA of the cluster.

    Scenario: as it lies there
      Given the disk of a node
      Then these kubeconfigs verify the server:
        | admin.conf              |
        | super-admin.conf        |
        | kubelet.conf            |
        | controller-manager.conf |
        | scheduler.conf          |
        | bootstrap-kubelet.conf  |

  @P-11 @MUST
  Rule: No bootstrap kubeconfig is left once the node has joined

    Why: the token in it lets machines join for as long as it lives.
    Repair: remove /etc/kubernetes/bootstrap-kubelet.conf, and delete the token.

    Scenario: as it lies there
      Given the disk of a node
      Then no bootstrap kubeconfig is left

  @BOOT-010 @MUST
  Rule: kubelet.conf has certificate and key from one place, and the kubelet renews them

    Why: who has them from two places has the key of another certificate after the first renewal, and a kubelet that
    starts once what kubelet.conf embeds has ended does not look at what it has renewed.
    Repair: name /var/lib/kubelet/pki/kubelet-client-current.pem for both, set rotateCertificates in
    /var/lib/kubelet/config.yaml and restart the kubelet.

    Scenario: as it lies there
      Given the disk of a node
      Then the user of "kubelet.conf" has certificate and key in one place
      And where the kubelet has renewed it, "kubelet.conf" embeds no other one
      And the kubelet has rotateCertificates "true", or by --rotate-certificates, or else "false"

  @KCFG-016 @MUST
  Rule: Controller manager and scheduler have identities of their own

    Why: who shares an identity shares its rights, and nobody can tell them apart in an audit log.
    Repair: move the file away and run "kubeadm init phase kubeconfig all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" finds "/etc/kubernetes/controller-manager.conf" with --kubeconfig
      And "kube-scheduler" finds "/etc/kubernetes/scheduler.conf" with --kubeconfig
      And "kube-controller-manager" finds "/etc/kubernetes/controller-manager.conf" with --authentication-kubeconfig
      And "kube-controller-manager" finds "/etc/kubernetes/controller-manager.conf" with --authorization-kubeconfig
      And "kube-scheduler" finds "/etc/kubernetes/scheduler.conf" with --authentication-kubeconfig
      And "kube-scheduler" finds "/etc/kubernetes/scheduler.conf" with --authorization-kubeconfig
      And "controller-manager.conf" and "scheduler.conf" have different users
      And "controller-manager.conf" and "admin.conf" have different users

  @P-532 @SHOULD
  Rule: admin.conf is for an administrator whom a binding can stop, where super-admin.conf is there

    Why: since 1.29 super-admin.conf alone is for whom nothing stops, so that what administrators carry about can be taken
    back by a binding.
    Repair: move admin.conf away, run "kubeadm init phase kubeconfig admin" and restart who uses it.

    Scenario: as they lie there
      Given the disk of a control plane
      Then admin.conf, where super-admin.conf is there, is in the group "kubeadm:cluster-admins" alone

  @P-533 @MUST
  Rule: The certificate of a kubelet is as its signer issues it, and can be renewed

    Why: what serves or names hosts was signed by somebody else; a kubelet whose current pair is a file stores no other one,
    and is locked out when that ends.
    Repair: remove the pair, and let the kubelet bootstrap anew; where the pair was copied, make the current one a link.

    Scenario: as it lies there
      Given the disk of a node
      Then the certificate of the kubelet is as its signer issues it
      And where the kubelet has asked for it, it can renew it, and has to within a year
