Feature: The flags of the controller manager

  It signs, cleans and approves for those who join, and needs the keys and switches for it.

  @KCMF-001 @MUST
  Rule: Ranges for the addresses of Pods come with their switch

    Why: the controller manager stops where it is to allocate and has no range.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then addresses of Pods are told altogether or not at all
      And Pods and services have no address in common
      And no Pod and no service has the address of the machine

  @KCMF-003 @MUST
  Rule: No cloud configuration is named

    Why: the flags are of no use without a provider of the cloud, and kubeadm sets neither.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" has none of these flags:
        | cloud-config |
      And "kube-controller-manager" lists none of "aws, azure, gce, openstack, vsphere" with --cloud-provider

  @KCMF-004 @MUST
  Rule: Signer and cleaner of bootstrap tokens run beside all default controllers

    Why: they are off by default: cluster-info is not signed and tokens are not cleaned without them; without the
    star all others are off.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" lists "*, bootstrapsigner, tokencleaner" with --controllers
      And "kube-controller-manager" turns off none of "csrapproving, csrsigning, bootstrapsigner, tokencleaner" with --controllers
      And "kube-controller-manager" turns off none of "nodelifecycle, root-ca-cert-publisher, serviceaccount-token" with --controllers

  @KCMF-005 @MUST
  Rule: Each controller has credentials of its own

    Why: the rights of the bootstrap signer and of the approver are bound to their accounts.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" has --use-service-account-credentials=true

  @KCMF-006 @MUST
  Rule: Pods are given ca.crt

    Why: they cannot verify the API server otherwise.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" finds "ca.crt" with --root-ca-file

  @KCMF-007 @MUST
  Rule: Certificates are signed with ca.crt, or nowhere

    Why: another authority is believed by nobody; where the key is kept elsewhere the flag is empty.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" signs with "ca.crt" by --cluster-signing-cert-file

  @KCMF-008 @MUST
  Rule: Certificates are signed with ca.key, or nowhere

    Why: with the key of another authority the controller manager ends at its start; where the key is kept elsewhere
    the flag is empty.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" signs with "ca.key" by --cluster-signing-key-file

  @KCMF-009 @MUST
  Rule: Tokens of service accounts are signed with sa.key

    Why: no token can be signed with a public key, and none that anybody accepts with another.
    Repair: correct the manifest, or run "kubeadm init phase control-plane controller-manager".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-controller-manager" finds "sa.key" with --service-account-private-key-file
