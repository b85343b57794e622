Feature: Where the files of a node lie

  Everybody who looks after a node knows these places: kubeadm itself, the kubelet, backups, and those who repair it
  at night.

  @PATH-001 @MUST
  Rule: Configuration lies below /etc/kubernetes

    Why: kubeadm, its upgrades and its reset look there and nowhere else.
    Repair: put the files back below /etc/kubernetes, and name them so in the flags of the manifests.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" finds "/etc/kubernetes/controller-manager.conf" with --kubeconfig
      And "kube-scheduler" finds "/etc/kubernetes/scheduler.conf" with --kubeconfig

  @PATH-002 @MUST
  Rule: Static Pods lie in /etc/kubernetes/manifests

    Why: the kubelet starts the control plane from the folder that its configuration names.
    Repair: set staticPodPath to /etc/kubernetes/manifests in /var/lib/kubelet/config.yaml, move the manifests there
    and restart the kubelet.

    Scenario: as it lies there
      Given the disk of a control plane
      Then these files are there:
        | /etc/kubernetes/manifests |
      And the kubelet has staticPodPath "/etc/kubernetes/manifests", or by --pod-manifest-path, or else ""
      And the kubelet has no staticPodURL

  @PATH-003 @MUST
  Rule: Each component has one manifest, which is named for it

    Why: the kubelet runs every file of the folder: a backup there starts the component a second time.
    Repair: keep one manifest for each component, named etcd.yaml, kube-apiserver.yaml, kube-controller-manager.yaml
    and kube-scheduler.yaml; keep backups in another folder.

    Scenario: as it lies there
      Given the disk of a control plane
      Then each component runs from one manifest that is named for it

  @PATH-004 @MUST
  Rule: Kubeconfigs have the names that kubeadm gives

    Why: components are started with these names, and upgrades look for them.
    Repair: run "kubeadm init phase kubeconfig all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then these files are there:
        | /etc/kubernetes/admin.conf              |
        | /etc/kubernetes/controller-manager.conf |
        | /etc/kubernetes/kubelet.conf            |
        | /etc/kubernetes/scheduler.conf          |

  @PATH-005 @MUST
  Rule: The cluster's CA lies in ca.crt and ca.key

    Why: everything that is signed later is signed with these two.
    Repair: restore both from another control plane or from a backup; a new CA is another cluster.

    Scenario: as it lies there
      Given the disk of a control plane with the key of the cluster's CA
      Then these files are there:
        | ca.crt |
        | ca.key |

  @PATH-006 @MUST
  Rule: The API server's certificate lies in apiserver.crt and apiserver.key

    Why: the API server does not start without both.
    Repair: move both away and run "kubeadm init phase certs apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then these files are there:
        | apiserver.crt |
        | apiserver.key |

  @PATH-007 @MUST
  Rule: The API server's client certificate for kubelets lies in apiserver-kubelet-client.crt and .key

    Why: without it nobody reads logs or runs commands in Pods.
    Repair: move both away and run "kubeadm init phase certs apiserver-kubelet-client".

    Scenario: as it lies there
      Given the disk of a control plane
      Then these files are there:
        | apiserver-kubelet-client.crt |
        | apiserver-kubelet-client.key |

  @PATH-008 @MUST
  Rule: The keys of service accounts lie in sa.key and sa.pub

    Why: one signs the tokens of Pods, the other one verifies them.
    Repair: restore both from another control plane: tokens that are out there are signed with that key.

    Scenario: as it lies there
      Given the disk of a control plane
      Then these files are there:
        | sa.key |
        | sa.pub |

  @PATH-009 @MUST
  Rule: The front proxy has an authority and a client certificate of its own

    Why: extension API servers believe what the API server says of users because of these files.
    Repair: move the pair that is not whole away and run "kubeadm init phase certs front-proxy-ca". Then "kubeadm
    init phase certs front-proxy-client".

    Scenario: as it lies there
      Given the disk of a control plane with the key of the cluster's CA
      Then these files are there:
        | front-proxy-ca.crt     |
        | front-proxy-ca.key     |
        | front-proxy-client.crt |
        | front-proxy-client.key |

  @PATH-010 @MUST
  Rule: The kubelet is configured by /var/lib/kubelet/config.yaml

    Why: the service of the kubelet is started with that file.
    Repair: run "kubeadm init phase kubelet-start", or "kubeadm upgrade node" on a node that has joined.

    Scenario: as it lies there
      Given the disk of a node
      Then these files are there:
        | /var/lib/kubelet/config.yaml       |
        | /var/lib/kubelet/kubeadm-flags.env |
      And the kubelet has kind "KubeletConfiguration"
      And the kubelet has apiVersion "kubelet.config.k8s.io/v1beta1"
      And no flag gives the kubelet another config
      And the kubelet asks the DNS of the cluster
      And the kubelet reads its configuration as it is written
      And the kubelet can start with its configuration
      And the kubelet knows its flags
      And the kubelet can read the values of its flags
      And the kubelet has cgroupDriver "systemd, cgroupfs", or by --cgroup-driver, or else "cgroupfs"
      And the kubelet has enableServer "true", or by --enable-server, or else "true"
      And the kubelet is told clusterDomain, or by --cluster-domain
      And what the kubelet is told of this machine alone is the socket of its runtime

  @ARCH-003 @MUST
  Rule: The kubelet answers nobody without a right

    Why: whoever reaches port 10250 of such a node runs commands in all its Pods.
    Repair: correct /var/lib/kubelet/config.yaml and the flags of the kubelet, or run "kubeadm upgrade node phase
    kubelet-config", and restart the kubelet.

    Scenario: as it lies there
      Given the disk of a node
      Then the kubelet has authentication.anonymous.enabled "false", or by --anonymous-auth, or else "false"
      And the kubelet has authentication.webhook.enabled "true", or by --authentication-token-webhook, or else "true"
      And the kubelet has authorization.mode "Webhook", or by --authorization-mode, or else "Webhook"
      And the kubelet has authentication.x509.clientCAFile the cluster's CA, or by --client-ca-file
      And the kubelet has readOnlyPort "0", or by --read-only-port, or else "0"
      And the kubelet has healthzBindAddress "127.0.0.1, ::1", or by --healthz-bind-address, or else "127.0.0.1"

  @BOOT-013 @MUST
  Rule: The service of the kubelet names both kubeconfigs, and the configuration

    Why: with one file for both the token stays where the certificate belongs, with another one nobody finds it.
    Repair: put back 10-kubeadm.conf of the package, run "systemctl daemon-reload" and restart the kubelet.

    Scenario: as it lies there
      Given the disk of a node
      Then no flag gives the kubelet another kubeconfig
      And no flag gives the kubelet another bootstrap-kubeconfig

    Scenario: its unit
      Given the disk of a node
      Then the service of the kubelet starts it with the files of kubeadm
