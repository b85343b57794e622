Feature: What others get hold of

  Keys and tokens lie where few may look. A copy in a ConfigMap, in a Secret of a team, or in a Pod is for all who may
  look there.

  @P-262 @SHOULD
  Rule: No ConfigMap holds a key

    Why: ConfigMaps, annotations and Pods are read by many, and kept out of no backup; with the key of an administrator or
    of an authority everyone of them is whom he likes.
    Repair: delete what holds it, and replace the key: it has been read. What needs one gets it from a Secret.

    Scenario: every ConfigMap of the cluster
      Given every ConfigMap of the cluster
      Then none holds a private key or a credential of the cluster

    Scenario: whatever else is read by others
      Then no annotation, variable or command holds a private key or a credential of the cluster

    Scenario: descriptions of tokens
      Then no token is described by a private key or a credential of the cluster

  @P-263 @SHOULD
  Rule: No Secret holds what makes an administrator

    Why: whoever reads Secrets of that namespace, or runs a Pod there, signs certificates or tokens for himself, or is a
    node or a part of the control plane, and no binding that is deleted takes that back.
    Repair: delete the Secret. Keep the keys of authorities on control planes, and give a Pod a ServiceAccount of its own.

    Scenario: every Secret that is no bootstrap token
      Then no Secret holds a key of an authority or of an administrator

  @P-264 @SHOULD
  Rule: No Pod is given what lets machines join

    Why: kubeadm reads these Secrets, on machines; who gets into the Pod, or reads its logs, lets machines join.
    Repair: take the Secret out of the volumes and variables of the Pod, and delete the token.

    Scenario: Pods, and what makes them
      Given the Pods of the cluster, and what makes them
      Then none is given a Secret that lets machines join

  @P-265 @MAY
  Rule: No Pod of a team is given its machine

    Why: with /etc/kubernetes, the folder of the kubelet's certificates or the socket of the container runtime it is the
    node that it runs on, or the control plane; a PersistentVolume of them is for whoever claims it.
    Repair: take the volume away. What looks at machines for everybody runs as a DaemonSet or a Job, and only reads; what
    the cluster needs runs in kube-system.

    Scenario: Pods, and what makes them
      Given the Pods of the cluster, and what makes them
      Then none beyond kube-system is given keys or the container runtime of its machine

  @P-272 @SHOULD
  Rule: No Pod runs as a controller of the control plane

    Why: kube-controller-manager asks for the tokens of its controllers itself; who gets into a Pod that runs as one of
    them reads bootstrap tokens, signs requests, or collects roles.
    Repair: give the Pod a ServiceAccount of its own, with the rights that it needs.

    Scenario: Pods, and what makes them
      Given the Pods of the cluster, and what makes them
      Then none runs as a controller of the control plane

  @P-274 @SHOULD
  Rule: Nothing tells of the cluster otherwise than cluster-info

    Why: who takes a ConfigMap for cluster-info, in another namespace or beside it, believes its authority without a
    signature, and gives his token to whoever has the key.
    Repair: delete the ConfigMap, or write into it what cluster-info says.

    Scenario: every ConfigMap of the cluster
      Given every ConfigMap of the cluster
      Then each that tells of this cluster tells what cluster-info does
