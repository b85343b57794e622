Feature: The disk of a node beyond the documents
  What no document says, and what gives a node away all the same: who may change what its programs keep, what is left of
  joins, and what does not go together though each part of it is sound.

  @P-190 @MUST
  Rule: Nobody but root changes what the kubelet, its unit and etcd keep
    Why: whoever may put a file there has the kubelet do as he likes, and the kubelet is root.
    Repair: chown root and chmod go-w what is named, and take setuid and setgid bits away.

    Scenario: as it lies there
      Given the disk of a node
      Then nobody but root changes what its programs keep
      And what its programs keep belongs to root

    Scenario: behind links
      Given the disk of a node
      Then what its programs obey lies where root alone writes

  @P-191 @MUST
  Rule: Nobody reads the data of etcd
    Why: all Secrets of the cluster lie there.
    Repair: chmod 600 member/snap/db below the folder of data, and give it back to the user that etcd runs as.

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then nobody reads the data of etcd

  @P-192 @SHOULD
  Rule: The folder of the data of etcd is closed
    Why: etcd makes it so, and does not close one that somebody else has made.
    Repair: chmod 700 the folder of --data-dir.

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then the folder of the data of etcd is closed

  @P-356 @SHOULD
  Rule: Kubeconfigs of components are for their owners
    Why: they tell whoever reads them where the cluster is, as whom the component logs in and by which files, and what is
      open today holds a key after the next renewal.
    Repair: chmod 600 the kubeconfigs of /etc/kubernetes.

    Scenario: as it lies there
      Given the disk of a node
      Then the kubeconfigs of components are for their owners

  @P-193 @MUST
  Rule: systemd starts the kubelet as its unit says, and nothing of strangers with it
    Why: a unit with two commands, or with none, is refused, and what is fetched before the kubelet starts runs as root.
    Repair: begin a part of the unit that has an ExecStart with an empty one, and remove what does not belong there.

    Scenario: as it lies there
      Given the disk of a node
      Then systemd starts the kubelet as its unit says

  @P-194 @MUST
  Rule: Admission plugins and controllers are there by their names, and certificates are guarded
    Why: neither program starts with a name that it does not know; without the guards of certificates a right on requests
    is a right on every signer.
    Repair: correct the name in extraArgs, and run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then the API server has the admission plugins that it is told of
      And the controller manager has the controllers that it is told of

  @P-195 @SHOULD
  Rule: No plugin and no controller is off that a cluster relies on
    Why: addons, accounts and what webhooks guard go without a word.
    Repair: take the name out of --disable-admission-plugins, or out of --controllers.

    Scenario: as it lies there
      Given the disk of a control plane
      Then nothing is off that a cluster relies on

  @P-196 @MUST
  Rule: Flags of a control plane go together, and name what is there
    Why: each of them is sound by itself, and the program ends at its start, or serves nobody.
    Repair: correct extraArgs, and run "kubeadm init phase control-plane all" and "kubeadm init phase etcd local".

    Scenario: by themselves
      Given the disk of a control plane
      Then flags of the control plane go together
      And the files that flags of the control plane name are there
      And each program of it listens at addresses of its machine

    Scenario: by names
      Given the disk of a control plane
      Then the API server shows certificates of servers by name

    Scenario: with an etcd elsewhere
      Given the disk of a control plane whose etcd is elsewhere
      Then the API server asks etcd with the key of its certificate

    Scenario: with the kubelet
      Given the disk of a control plane
      Then the API server verifies the kubelet of the machine

    Scenario: with how often the kubelet is heard of
      Given the disk of a control plane
      Then the controller manager waits for the kubelet of the machine

    Scenario: of a worker with how often it is heard of
      Given the disk of a worker
      Then a controller manager elsewhere hears of the kubelet in time

  @P-197 @SHOULD
  Rule: No join is left in a file
    Why: a token in a file of yesterday lets machines join for as long as it lives, and some never end.
    Repair: remove the file, and delete the token with "kubeadm token delete".

    Scenario: of homes, of cloud-init, of what runs by itself and beside the configuration
      Given the disk of a node
      Then no join is left in a file

  @P-198 @MUST
  Rule: Copies of keys are as closed as they are
    Why: whoever reads a copy is who it is for.
    Repair: chmod 600 the copy and give it back to root, or remove it; none has to lie in a folder of everybody.

    Scenario: in homes
      Given the disk of a node
      Then copies of kubeconfigs in homes are closed
      And nobody puts another kubeconfig in its place

    Scenario: of keys
      Given the disk of a node
      Then copies of keys are closed, and belong to root

    Scenario: in archives
      Given the disk of a node
      Then archives of keys are closed

  @P-199 @MUST
  Rule: A worker runs nothing that is as good as root, and has no key of an authority
    Why: what a worker can do to its cluster is what whoever breaks into it can do.
    Repair: remove the manifest, or the key, and find out who has put it there.

    Scenario: as it lies there
      Given the disk of a worker
      Then no static Pod of a worker is as good as root
      And a worker has no key of an authority

  @P-200 @SHOULD
  Rule: What runs beside the control plane mounts no folder of keys
    Why: a load balancer needs a file of its own, or a kubeconfig, and no keys of others.
    Repair: mount the one file that the Pod needs.

    Scenario: as it lies there
      Given the disk of a node
      Then no static Pod beside the control plane mounts a folder of keys

  @P-201 @MUST
  Rule: Each component may read its files
    Why: a component that runs as somebody else ends at the first key that is root's alone.
    Repair: chown the files to the user of runAsUser, or take runAsUser away.

    Scenario: as it lies there
      Given the disk of a control plane
      Then each component may read its files

  @P-202 @MUST
  Rule: Keys and certificates are of kinds that programs of Kubernetes take
    Why: others read them, and the programs end with "unknown curve", or with an extension that they do not know. Go holds
      a certificate to the names and purposes of its authority, the root's as well.
    Repair: move the pair away and run "kubeadm init phase certs all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then programs of Kubernetes take these certificates:
        | ca.crt                       |
        | front-proxy-ca.crt           |
        | etcd/ca.crt                  |
        | apiserver.crt                |
        | apiserver-kubelet-client.crt |
        | front-proxy-client.crt       |
        | apiserver-etcd-client.crt    |
        | etcd/server.crt              |
        | etcd/peer.crt                |
        | etcd/healthcheck-client.crt  |
      And these are for what "ca.crt" may sign:
        | apiserver.crt                |
        | apiserver-kubelet-client.crt |
      And these are for what "front-proxy-ca.crt" may sign:
        | front-proxy-client.crt |
      And these are for what "etcd/ca.crt" may sign:
        | apiserver-etcd-client.crt   |
        | etcd/server.crt             |
        | etcd/peer.crt               |
        | etcd/healthcheck-client.crt |
      And tokens can be signed with these:
        | sa.key |
        | sa.pub |

  @P-203 @SHOULD
  Rule: Certificates name their issuers, and are numbered
    Why: programs with OpenSSL refuse a chain whose identifiers differ, and lists of what is revoked go by numbers.
    Repair: move the pair away and run "kubeadm init phase certs all".

    Scenario: of the cluster
      Given the disk of a control plane
      Then these name the key of "ca.crt" as that of their issuer:
        | apiserver.crt                |
        | apiserver-kubelet-client.crt |
      And these name the key of "front-proxy-ca.crt" as that of their issuer:
        | front-proxy-client.crt |
      And these name the key of "etcd/ca.crt" as that of their issuer:
        | apiserver-etcd-client.crt   |
        | etcd/server.crt             |
        | etcd/peer.crt               |
        | etcd/healthcheck-client.crt |
      And no two of these have one number:
        | ca.crt                       |
        | apiserver.crt                |
        | apiserver-kubelet-client.crt |
        | front-proxy-ca.crt           |
        | front-proxy-client.crt       |
        | etcd/ca.crt                  |
        | apiserver-etcd-client.crt    |
        | etcd/server.crt              |
        | etcd/peer.crt                |
        | etcd/healthcheck-client.crt  |

  @P-535 @SHOULD
  Rule: Certificates are renewed before they have almost ended
    Why: a control plane whose certificates have ended answers nobody and asks nobody, and a kubelet that has let the time
    for its renewal go by is locked out next.
    Repair: run "kubeadm certs renew all" and restart the control plane; see in the journal of the kubelet why it does not
    renew what is its own, and have a CA followed by its successor.

    Scenario: of a control plane
      Given the disk of a control plane
      Then none of these authorities has almost ended:
        | ca.crt             |
        | front-proxy-ca.crt |
        | etcd/ca.crt        |
      And none of these certificates has almost ended:
        | apiserver.crt                |
        | apiserver-kubelet-client.crt |
        | front-proxy-client.crt       |
        | apiserver-etcd-client.crt    |
        | etcd/server.crt              |
        | etcd/peer.crt                |
        | etcd/healthcheck-client.crt  |
      And the certificate of none of these kubeconfigs has almost ended:
        | admin.conf              |
        | super-admin.conf        |
        | controller-manager.conf |
        | scheduler.conf          |

    Scenario: of a kubelet
      Given the disk of a node
      Then the certificate of none of these kubeconfigs has almost ended:
        | kubelet.conf |

  @P-204 @MUST
  Rule: The data of etcd are whole
    Why: without its log etcd begins anew, with nothing in it, and without its database it ends.
    Repair: restore a snapshot, or take the member out of its cluster and have it join again.

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then the data of etcd are whole

  @P-205 @SHOULD
  Rule: No data are left of an etcd that runs elsewhere now
    Why: all Secrets of the day of the move lie there, and nobody looks after them.
    Repair: move the folder of data away once the etcd elsewhere has what was in it.

    Scenario: as it lies there
      Given the disk of a control plane whose etcd is elsewhere
      Then no data of an etcd are left

    Scenario: of a worker
      Given the disk of a worker
      Then no data of an etcd are left

  @P-206 @SHOULD
  Rule: Certificates of etcd are for all that their machine is known by
    Why: kubeadm refuses others the next time that it runs, and tools on the machine ask etcd by these names.
    Repair: move the pair away and run "kubeadm init phase certs all".

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then "etcd/server.crt" is issued for "what its machine is known by"
      And "etcd/peer.crt" is issued for "what its machine is known by"

  @P-207 @MUST
  Rule: etcd lets in the certificates of its own machine
    Why: a name that is asked of certificates and that they do not have ends the API server, or keeps members apart.
    Repair: take the flag away, or name what the certificates have.

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then etcd lets in the certificates of its own machine

  @P-208 @SHOULD
  Rule: etcd compares its data with those of the others before it serves them
    Why: a member whose data differ hands them out, and nobody sees it.
    Repair: take out of extraArgs of etcd what turns it off.

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then etcd compares its data before it serves them

  @P-209 @MUST
  Rule: The files that a kubelet is told of are there
    Why: it ends at the first one that is not.
    Repair: bring the file back, or take the setting away.

    Scenario: as it lies there
      Given the disk of a node
      Then the files that the kubelet is told of are there

  @P-210 @SHOULD
  Rule: A kubelet serves with a certificate that is valid, and of its machine
    Why: it makes one for itself and never another, so that one that has ended, or came with the image of another
      machine, stays.
    Repair: remove kubelet.crt and kubelet.key and restart the kubelet, or set serverTLSBootstrap.

    Scenario: as it lies there
      Given the disk of a node
      Then the kubelet serves with a certificate that is valid, and of its machine

    Scenario: whose key it is
      Given the disk of a node
      Then no component has the key that the kubelet serves with

  @P-377 @SHOULD
  Rule: All that is written for a kubelet is read
    Why: of the folder of --config-dir a kubelet passes over what does not end with .conf, and nothing but a line of its
      log tells of it; it ends at one that says no kind.
    Repair: rename the file, and begin it with apiVersion kubelet.config.k8s.io/v1beta1 and kind KubeletConfiguration.

    Scenario: as it lies there
      Given the disk of a node
      Then the kubelet reads what lies in its folder of configuration

  @P-211 @SHOULD
  Rule: The flags that kubeadm gives a kubelet stand in its file alone
    Why: what systemd reads last counts, and takes away what kubeadm has written and writes at an upgrade.
    Repair: set KUBELET_EXTRA_ARGS instead, which stands beside them.

    Scenario: as it lies there
      Given the disk of a node
      Then the flags of kubeadm stand in its file alone

  @P-212 @SHOULD
  Rule: The issuer of tokens answers over https, in the domain of the cluster
    Why: discovery stays off without it, and whoever looks for the issuer of a token finds nobody.
    Repair: correct --service-account-issuer in extraArgs, with the former one beside it for as long as tokens live.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the issuer of tokens answers

  @P-213 @SHOULD
  Rule: Nobody works as an administrator where he should not
    Why: who breaks into a worker finds the cluster, and super-admin.conf goes around RBAC for good.
    Repair: remove the copy, give who needs one a user of his own with "kubeadm kubeconfig user", and have static Pods
      mount admin.conf once "kubeadm init" has ended.

    Scenario: as it lies there
      Given the disk of a node
      Then nobody works as an administrator where he should not

    Scenario: in static Pods
      Given the disk of a node
      Then no static Pod works as who goes around RBAC

  @P-214 @MUST
  Rule: The API server takes the files that configure it
    Why: it ends at its start otherwise, and some of what it takes lets in everybody.
    Repair: correct the file; a manifest that is touched makes the kubelet start the API server with it.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the API server takes the files that configure it
      And the sockets that such files name are mounted

  @P-215 @SHOULD
  Rule: Secrets are encrypted where encryption is configured
    Why: the first provider writes, and with identity Secrets lie in etcd as they are.
    Repair: name a provider with a key first, and write all Secrets again.

    Scenario: as it lies there
      Given the disk of a control plane
      Then Secrets are encrypted where encryption is configured

  @P-216 @MUST
  Rule: The settings of a kubelet go together
    Why: each of them is sound by itself, and the kubelet ends at its start with a line in its log.
    Repair: correct config.yaml, or the flag above it, and restart the kubelet.

    Scenario: as it lies there
      Given the disk of a node
      Then the settings of the kubelet go together

  @P-563 @MUST
  Rule: Each program of a machine listens at ports of its own
    Why: of two that are told one port the later one ends at its start, and the other is taken for it.
    Repair: give one of them its port of before, in config.yaml, in flags of the kubelet or in extraArgs.

    Scenario: as they are told
      Given the disk of a node
      Then each program of the machine listens at ports of its own

  @P-217 @MUST
  Rule: The kubelet runs every static Pod that lies there
    Why: it passes over what it cannot read, and refuses what is no Pod, with a line in its log.
    Repair: correct the manifest, or move it out of the folder.

    Scenario: as it lies there
      Given the disk of a node
      Then the kubelet runs each static Pod beside the components

  @P-218 @MUST
  Rule: A static Pod beside the components is neither root nor an authority
    Why: what may write where root reads is root before long, and who has a key that signs has the cluster.
    Repair: mount the one file that the Pod needs, read-only, and drop the capability.

    Scenario: as it lies there
      Given the disk of a node
      Then each static Pod beside the components holds nothing by which it were root

  @P-219 @MUST
  Rule: The unit of a kubelet lets it do its work
    Why: in a sandbox of its own it mounts volumes that no container sees, and what is fetched with it runs as root.
    Repair: take the setting out of the part of the unit that has it, and run "systemctl daemon-reload".

    Scenario: as it lies there
      Given the disk of a node
      Then the unit lets the kubelet do its work

  @P-240 @MUST
  Rule: The container runtime serves the kubelet, and nobody else
    Why: packages of Docker turn off what the kubelet asks containerd for, and who else can ask it starts containers as
      root.
    Repair: take "cri" out of disabled_plugins and tcp_address out of [grpc] in /etc/containerd/config.toml, and restart
      containerd.

    Scenario: as it lies there
      Given the disk of a node
      Then the container runtime serves the kubelet, and it alone
      And systemd starts the container runtime

  @P-241 @SHOULD
  Rule: The container runtime and the kubelet work with one cgroup driver
    Why: with two the machine has two views of its resources, and Pods fail under load.
    Repair: set SystemdCgroup in /etc/containerd/config.toml to what cgroupDriver of the kubelet says.

    Scenario: as it lies there
      Given the disk of a node
      Then the container runtime and the kubelet work with one cgroup driver

  @P-242 @MUST
  Rule: An API server lets in the probes of its kubelet
    Why: they come without a credential, and what answers them with 401 is started again and again.
    Repair: take --anonymous-auth=false out of extraArgs, or name /livez, /readyz and /healthz among the conditions of anonymous in the
      file of --authentication-config, with /api/v1/namespaces/kube-public/configmaps/cluster-info for those who join.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the API server lets in its own probes

  @P-550 @SHOULD
  Rule: Where bootstrap tokens are accepted, cluster-info is read without a credential
    Why: who joins by a token has no credential yet, and waits for cluster-info until it gives up.
    Repair: name /api/v1/namespaces/kube-public/configmaps/cluster-info among the conditions of anonymous in the file of
      --authentication-config, or have machines join by a file and switch bootstrap tokens off.

    Scenario: as it lies there
      Given the disk of a control plane
      Then whoever joins by a token is let in to read cluster-info

  @P-243 @SHOULD
  Rule: An audit policy records something
    Why: the first rule that is about a request decides on it, so that one of level None above all others leaves nothing to
      those who look for what happened. A log in a container is gone with it.
    Repair: put the rule of None behind what it is not about, and name --audit-log-path in a folder
      that is mounted, or a webhook.

    Scenario: as it lies there
      Given the disk of a control plane
      Then an audit policy records something

  @P-260 @SHOULD
  Rule: An audit log holds no credentials
    Why: whoever reads the log, or what it is sent to, has every Secret and token that was asked for since, those that
      machines join with among them.
    Repair: put a rule of the level Metadata for secrets, serviceaccounts/token and tokenreviews above those of Request
      and RequestResponse, and delete what was recorded.

    Scenario: as it lies there
      Given the disk of a control plane
      Then an audit policy records no credentials

  @P-286 @MUST
  Rule: What programs of a node read is written as they read it
    Why: a tab in a YAML, a key with a password or a certificate as DER ends the program, whatever else is right.
    Repair: write the file anew with "kubeadm init phase", or put back the one that was there before.

    Scenario: as it lies there
      Given the disk of a node
      Then its programs can read what they are given

  @P-287 @MUST
  Rule: The machine comes up as its kubelet needs it
    Why: who has switched something by hand finds the switch back after the next start, and then the kubelet ends at
      swap, Pods reach nobody, or no image can be mounted.
    Repair: take the line out of /etc/fstab, sysctl.d or modprobe.d, and put net.ipv4.ip_forward = 1 behind all others.

    Scenario: as it lies there
      Given the disk of a node
      Then the machine comes up as its kubelet needs it

  @P-288 @SHOULD
  Rule: Names lead where they should
    Why: Pods that leave names to their machine ask whom its resolv.conf names, and a loopback in it is that of the Pod.
    Repair: name /run/systemd/resolve/resolv.conf as resolvConf, or servers that Pods reach; give localhost back its
      addresses.

    Scenario: as it lies there
      Given the disk of a node
      Then names lead where they should

  @P-289 @MUST
  Rule: The network of Pods can be made
    Why: a node stays not ready, and Pods wait, as long as the first file of /etc/cni/net.d is no network or names a
      plugin that nobody has.
    Repair: have the network plugin write its file and its programs anew, and take away what was tried out.

    Scenario: as it lies there
      Given the disk of a node
      Then the runtime can give Pods addresses

  @P-300 @MUST
  Rule: The scheduler takes the file that configures it
    Why: it ends at its start otherwise, or leaves Pods waiting that nobody else schedules.
    Repair: correct the file of --config; a manifest that is touched makes the kubelet start the scheduler with it.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the scheduler takes the file that configures it

  @P-301 @MUST
  Rule: What runs by itself, or for others, gives no key away
    Why: a job that opens or sends a key does so again however often the key is closed, and a right to read it is the right
      to be who it is for.
    Repair: take the line out of the job, the unit, the script or the rights of sudo, and renew what it has given away.

    Scenario: as it lies there
      Given the disk of a node
      Then nothing that runs by itself, or for others, gives keys away

  @P-302 @SHOULD
  Rule: No proxy stands between the programs of a cluster
    Why: a proxy of the company reaches neither the addresses of a cluster nor its Services, and who asks it waits in vain.
    Repair: name the server, the subnets of services and Pods and the nodes in NO_PROXY, where HTTPS_PROXY is set.

    Scenario: as it lies there
      Given the disk of a node
      Then no proxy stands between the programs of the cluster

  @P-303 @MUST
  Rule: A machine that asks a proxy on its loopback has one
    Why: its kubelet asks nobody otherwise, and its node is not ready.
    Repair: put the static Pod or the service of the proxy back, or name a server of the cluster in kubelet.conf.

    Scenario: as it lies there
      Given the disk of a worker
      Then who asks a proxy on loopback has one
