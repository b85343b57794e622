Feature: The manifests of a control plane

  The kubelet runs what these files say, before anything else of the cluster is there.

  @MANI-001 @MUST
  Rule: The manifests of the control plane lie where the kubelet looks, and it can run them

    Why: the control plane cannot be started by an API server that does not run yet, and the kubelet passes over a
    field that it does not know.
    Repair: run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then these files are there:
        | /etc/kubernetes/manifests/kube-apiserver.yaml          |
        | /etc/kubernetes/manifests/kube-controller-manager.yaml |
        | /etc/kubernetes/manifests/kube-scheduler.yaml          |
      And the kubelet reads each manifest as it is written
      And the kubelet accepts what each static Pod says
      And nothing but flags has power over each static Pod
      And the probes of each static Pod ask its component
      And no static Pod has privileges
      And no other static Pod is as good as root
      And each component runs alone in its Pod

  @MANI-002 @MUST
  Rule: Static Pods are in the namespace kube-system

    Why: kubeadm, and those who look for the control plane, look there.
    Repair: correct the manifest, or run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then in each static Pod "metadata.namespace" is "kube-system"

  @MANI-003 @MUST
  Rule: Static Pods have the label tier: control-plane

    Why: kubeadm finds the Pods of the control plane by it.
    Repair: correct the manifest, or run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then in each static Pod "metadata.labels.tier" is "control-plane"

  @MANI-004 @MUST
  Rule: Static Pods have the label component, with the name of the component

    Why: kubeadm finds etcd members and API servers by it.
    Repair: correct the manifest, or run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then in each static Pod "metadata.labels.component" is "its component"

  @MANI-005 @MUST
  Rule: Static Pods are critical for the node

    Why: a Pod without that priority is evicted when memory runs short.
    Repair: correct the manifest, or run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then in each static Pod "spec.priorityClassName" is "system-node-critical"
      And in each static Pod "spec.priority" is "2000001000", where it is set

  @MANI-006 @MUST
  Rule: Static Pods use the network of the host

    Why: the network of Pods needs a control plane that runs.
    Repair: correct the manifest, or run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then in each static Pod "spec.hostNetwork" is "true"

  @MANI-007 @MUST
  Rule: Controller manager and scheduler ask the machine's own API server

    Why: they must work while a load balancer or kube-proxy does not.
    Repair: move the file away and run "kubeadm init phase kubeconfig all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then these kubeconfigs name the machine's own API server:
        | controller-manager.conf |
        | scheduler.conf          |

  @MANI-008 @MUST
  Rule: The API server asks the machine's own etcd over TLS

    Why: etcd is reached on loopback whatever the network does.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then the API server asks the machine's own etcd

  @MANI-009 @MUST
  Rule: Controller manager and scheduler elect a leader

    Why: two that work at the same time undo what the other one does.
    Repair: correct the manifest, or run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager, kube-scheduler" has --leader-elect=true

  @MANI-010 @MUST
  Rule: Flags of static Pods are written as their programs read them

    Why: of two flags in one word the program reads one, with the rest as its value, or none.
    Repair: write each flag as an item of its own, or run "kubeadm init phase control-plane all" with extraArgs.

    Scenario: as it lies there
      Given the disk of a control plane
      Then each static Pod runs its component with one flag a word
      And each program of the control plane knows its flags
      And each program of the control plane can read the values of its flags

  @MANI-011 @MUST
  Rule: Volumes and mounts of static Pods belong together

    Why: a Pod with a mount that has no volume does not start, and a volume without a mount is not seen.
    Repair: give each of extraVolumes a name, a hostPath and a mountPath, and run "kubeadm init phase control-plane
    all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then the volumes of each static Pod are mounted
      And the files that flags name are mounted in each static Pod

  @MANI-012 @MUST
  Rule: Images come from a registry that has them, and go together

    Why: k8s.gcr.io has been frozen since 2023: newer images are not there. What is newer than the API server, or much
    older, asks for what it does not have.
    Repair: set kubernetesVersion, and imageRepository to registry.k8s.io, or to a registry of your own, and run "kubeadm init phase
    control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then each image comes from a registry that has it
      And each image is of its component, and goes with the API server

  @MANI-013 @MUST
  Rule: All images come from the repository that is configured

    Why: an image from elsewhere is not there where the network is closed, and nobody has checked it.
    Repair: set imageRepository once, and run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then all images come from one repository

  @ETCD-001 @MUST
  Rule: No etcd runs on the machine where the API server asks another one

    Why: nobody asks it, and data that somebody writes there are in no backup.
    Repair: take /etc/kubernetes/manifests/etcd.yaml away, or correct --etcd-servers of the API server.

    Scenario: as it lies there
      Given the disk of a control plane whose etcd is elsewhere
      Then none of these files is there:
        | /etc/kubernetes/manifests/etcd.yaml |

  @ETCD-003 @MUST
  Rule: etcd listens on loopback, over TLS alone, in the network of the host

    Why: the API server asks there; without TLS everybody on the network reads all Secrets.
    Repair: correct the manifest, or run "kubeadm init phase etcd local".

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then etcd listens on loopback, over TLS
      And "etcd" has --client-cert-auth=true
      And "etcd" has none of these flags:
        | auto-tls          |
        | peer-auto-tls     |
        | force-new-cluster |

  @ETCD-004 @MUST
  Rule: The data of etcd lie on the host

    Why: data inside of the container are gone when it restarts.
    Repair: mount the folder of --data-dir as a hostPath, or run "kubeadm init phase etcd local".

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then the data of etcd lie on the host

  @ETCD-006 @MUST
  Rule: The image of etcd comes from the registry that is configured

    Why: an image from elsewhere is not there where the network is closed.
    Repair: set imageRepository once, and run "kubeadm init phase etcd local".

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then the image of etcd comes from a registry that has it
      And the image of etcd comes from the repository that is configured

  @ETCD-002 @MUST
  Rule: etcd runs on the machine where none is elsewhere

    Why: the API server has nothing to ask otherwise.
    Repair: run "kubeadm init phase etcd local".

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then these files are there:
        | /etc/kubernetes/manifests/etcd.yaml |
      And "etcd" is annotated "etcd.advertise-client-urls" by "advertise-client-urls, initial-advertise-peer-urls"
