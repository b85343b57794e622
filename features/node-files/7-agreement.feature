Feature: The disk of a node, and its cluster

  Files and objects are written at the same time, and changed by different hands. Nothing of what is found on the disk is
  used to ask the cluster: signatures and keys are compared.

  @P-151 @MUST
  Rule: The node trusts the CA of its cluster

    Why: what the files of another cluster, or of an authority that was replaced, let in or verify is another cluster's; a
    pin that is computed from the file fits no join.
    Repair: copy ca.crt of a control plane that works to the node; where the folder is of another cluster, judge it with
    the kubeconfig of that one.

    Scenario: as objects say it
      Given the disk of a node, and a cluster
      Then the disk's CA is that of the cluster

    Scenario: as the API server shows it
      Given the disk of a node of this cluster
      Then the disk's CA has issued what the API server presents

  @P-152 @MUST
  Rule: The API server presents the certificate that lies on its disk

    Why: a certificate that was renewed and is not presented ends with the old one; one that is presented and does not lie
    there is somebody else's.
    Repair: restart kube-apiserver, or put the pair back that it has.

    Scenario: asked itself
      Given the disk of a control plane of this cluster
      Then the API server of the machine presents "apiserver.crt"

  @P-153 @MUST
  Rule: Tokens of service accounts are verified with the key on the disk

    Why: control planes with different keys refuse each other's tokens.
    Repair: copy sa.key and sa.pub from another control plane, and restart kube-apiserver and kube-controller-manager.

    Scenario: as the keys are shown
      Given the disk of a control plane of this cluster
      Then the API server verifies tokens with "sa.pub"

  @P-154 @MUST
  Rule: Extension API servers believe the authorities on the disk

    Why: who is let in here is a stranger there, and what the front proxy says is not believed.
    Repair: restart kube-apiserver, which writes its authorities to the ConfigMap extension-apiserver-authentication.

    Scenario: of clients and of the front proxy
      Given the disk of a control plane of this cluster
      Then the authorities of clients in "ca.crt" are those that API servers write down
      And the authorities of proxies in "front-proxy-ca.crt" are those that API servers write down

  @P-155 @MUST
  Rule: The certificates of the node's kubeconfigs are of an authority that the cluster lets in

    Why: a component whose certificate another authority has signed is refused with 401 from its next start on.
    Repair: move the kubeconfig away and run "kubeadm init phase kubeconfig all", or join the node again.

    Scenario: by their signatures
      Given the disk of a node of this cluster
      Then the cluster lets in who shows the certificates of its kubeconfigs

  @P-156 @MUST
  Rule: The node's kubeconfigs ask servers of their cluster

    Why: an address that the cluster left stays in files, and is asked when a component restarts.
    Repair: write the server of cluster-info into the kubeconfig, or move it away and run "kubeadm init phase kubeconfig
    all".

    Scenario: as the cluster names them
      Given the disk of a node of this cluster
      Then its kubeconfigs ask servers of the cluster

  @P-157 @MUST
  Rule: Static Pods run as their manifests say, and no others do

    Why: a manifest that was changed and does not run shows at the next restart; a static Pod without a manifest was
    hidden by whoever started it.
    Repair: restart the kubelet; find out who has removed the manifest of a Pod that runs.

    Scenario: as written
      Given the disk of a node of this cluster
      Then each manifest runs as it is written

    Scenario: and nothing else
      Given the disk of a node of this cluster
      Then no static Pod runs that no manifest says

  @P-158 @MUST
  Rule: The machine is a Node of its cluster, as what it is

    Why: upgrades and joins look for control planes by their label; a machine under another name is nobody's.
    Repair: run "kubeadm init phase mark-control-plane", or remove the label from a worker; correct --node-ip and join
    again.

    Scenario: as its kubelet has registered it
      Given the disk of a node of this cluster
      Then the machine is a Node of the cluster

  @P-159 @MUST
  Rule: The control plane is as kubeadm has written it down

    Why: the next upgrade or join writes what kubeadm-config says, whatever runs today.
    Repair: correct kubeadm-config, or run "kubeadm init phase control-plane all" with it.

    Scenario: of the disk
      Given the disk of a control plane of this cluster
      And what kubeadm has written down of the cluster
      Then the API server is of the release of the cluster
      And etcd and certificates are where the cluster says
      And "kube-apiserver" has --service-cluster-ip-range of "networking.serviceSubnet"
      And "kube-controller-manager" has --service-cluster-ip-range of "networking.serviceSubnet", where it is told
      And "kube-controller-manager" has --cluster-cidr of "networking.podSubnet"
      And "kube-apiserver" has --etcd-servers of "etcd.external.endpoints"
      And "etcd" has --data-dir of "etcd.local.dataDir"

  @P-160 @MUST
  Rule: The kubelet looks names up where its cluster answers

    Why: Pods of the node find no service otherwise.
    Repair: correct clusterDomain and clusterDNS in the ConfigMap kubelet-config, and run "kubeadm upgrade node phase
    kubelet-config".

    Scenario: as the cluster says it
      Given the disk of a node of this cluster
      Then the kubelet looks names up where the cluster answers
