Feature: What init is told

  A file of documents says what cluster is to be made. What cannot become a cluster is refused before anything is looked
  at or written: whoever reads what is wrong on a terminal mends a line, and who finds out later mends a cluster.

  @P-410 @MUST
  Rule: Networks that are none, too small or too large are refused

    Why: a cluster with them comes up, and fails with the tenth Service, the second Node, or never starts its API server.
    Repair, for makers: parse each subnet; at least ten addresses and at most 20 bits of them for Services; at least one
    subnet of a Node in that of Pods, and at most 16 bits between them; of two subnets one of each family.

    Scenario: subnets of Services
      Then init refuses what it is told, and writes nothing:
        | told that ClusterConfiguration has networking.serviceSubnet=10.96.0.0/29              | subnet with 8 address(es) is too small, the minimum is 10 |
        | told that ClusterConfiguration has networking.serviceSubnet=fd00::/126                | subnet with 4 address(es) is too small, the minimum is 10 |
        | told that ClusterConfiguration has networking.serviceSubnet=10.0.0.0/11               | the mask must be >= 12                                    |
        | told that ClusterConfiguration has networking.serviceSubnet=fd00::/107                | the mask must be >= 108                                   |
        | told that ClusterConfiguration has networking.serviceSubnet=10.96.0.0                 | couldn't parse subnet                                     |
        | told that ClusterConfiguration has networking.serviceSubnet=10.96.0.0/33              | couldn't parse subnet                                     |
        | told that ClusterConfiguration has networking.serviceSubnet=10.96.0.0/16,10.97.0.0/16 | two CIDRs from each family                                |
        | told that ClusterConfiguration has networking.serviceSubnet=10.96.0.0/16,fd00::/64    | the mask must be >= 108                                   |
        | told that ClusterConfiguration has networking.serviceSubnet=fd00::/112,10.96.0.0/30   | subnet with 4 address(es) is too small                    |

    Scenario: subnets of Services that will do
      Then kubeadm init takes these machines:
        | told that ClusterConfiguration has networking.serviceSubnet=10.96.0.0/28            |
        | told that ClusterConfiguration has networking.serviceSubnet=10.0.0.0/12             |
        | told that ClusterConfiguration has networking.serviceSubnet=fd00::/108              |
        | told that ClusterConfiguration has networking.serviceSubnet=10.96.0.0/16,fd00::/112 |

    Scenario: subnets of Pods
      Then init refuses what it is told, and writes nothing:
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0                                                                                                      | couldn't parse subnet                             |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/25                                                                                                   | smaller than the size of node subnet with mask 24 |
        | told that ClusterConfiguration has networking.podSubnet=fd00::/65                                                                                                       | smaller than the size of node subnet with mask 64 |
        | told that ClusterConfiguration has networking.podSubnet=10.0.0.0/7                                                                                                      | difference is greater than 16                     |
        | told that ClusterConfiguration has networking.podSubnet=fd00::/47                                                                                                       | difference is greater than 16                     |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/16,10.245.0.0/16                                                                                     | two CIDRs from each family                        |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/16,fd00:1::/48,fd00:2::/48                                                                           | two CIDRs from each family                        |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/16,fd00::/65                                                                                         | smaller than the size of node subnet with mask 64 |
        | told that ClusterConfiguration has networking.podSubnet=fd00::/65, told that ClusterConfiguration has controllerManager.extraArgs={"node-cidr-mask-size-ipv6":"62"}     | node subnet with mask 62                          |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/20, told that ClusterConfiguration has controllerManager.extraArgs={"node-cidr-mask-size-ipv4":"18"} | node subnet with mask 18                          |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/29, told that ClusterConfiguration has controllerManager.extraArgs={"allocate-node-cidrs":"false"}   | the minimum is 14                                 |

    Scenario: subnets of Pods that will do
      Then kubeadm init takes these machines:
        | told that ClusterConfiguration has networking.podSubnet=10.0.0.0/8                                                                                                      |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/24                                                                                                   |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/16,fd00:1::/48                                                                                       |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/25, told that ClusterConfiguration has controllerManager.extraArgs={"node-cidr-mask-size-ipv4":"26"} |
        | told that ClusterConfiguration has networking.podSubnet=10.244.0.0/26, told that ClusterConfiguration has controllerManager.extraArgs={"allocate-node-cidrs":"false"}   |

  @P-411 @MUST
  Rule: Names, addresses, ports, paths and algorithms that are none are refused

    Why: they stand in certificates and kubeconfigs, which are made anew to be rid of them.
    Repair, for makers: hold each field to its form before the first file is written.

    Scenario: of the machine
      Then init refuses what it is told, and writes nothing:
        | told that InitConfiguration has localAPIEndpoint.advertiseAddress=cp-1.example                      | must be ipv4 or ipv6 address                    |
        | told that InitConfiguration has localAPIEndpoint.advertiseAddress=192.0.2.300                       | must be ipv4 or ipv6 address                    |
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":65536} | localAPIEndpoint.bindPort: Invalid value: 65536 |
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":-1}    | localAPIEndpoint.bindPort: Invalid value: -1    |
        | told that InitConfiguration has nodeRegistration.name=a..b                                          | nodeRegistration.name: Invalid value            |
        | told that InitConfiguration has nodeRegistration.name=cp-1.                                         | nodeRegistration.name: Invalid value            |
        | told that InitConfiguration has nodeRegistration.criSocket=unixes:///run/x.sock                     | only URL scheme "unix" is supported             |

    Scenario: of the cluster
      Then init refuses what it is told, and writes nothing:
        | told that ClusterConfiguration has controlPlaneEndpoint=lb_example:6443                                                                                                                                                                                                                                                                                                   | must be a valid IP address or a valid RFC-1123 DNS subdomain       |
        | told that ClusterConfiguration has controlPlaneEndpoint=https://lb.example:6443                                                                                                                                                                                                                                                                                           | must be a valid IP address or a valid RFC-1123 DNS subdomain       |
        | told that ClusterConfiguration has controlPlaneEndpoint=LB.example                                                                                                                                                                                                                                                                                                        | must be a valid IP address or a valid RFC-1123 DNS subdomain       |
        | told that ClusterConfiguration has controlPlaneEndpoint=[fd00::1]                                                                                                                                                                                                                                                                                                         | must be a valid IP address or a valid RFC-1123 DNS subdomain       |
        | told that ClusterConfiguration has controlPlaneEndpoint=lb.example:0                                                                                                                                                                                                                                                                                                      | must be a valid number between 1 and 65535                         |
        | told that ClusterConfiguration has controlPlaneEndpoint=lb.example:65536                                                                                                                                                                                                                                                                                                  | must be a valid number between 1 and 65535                         |
        | told that ClusterConfiguration has controlPlaneEndpoint=lb.example:https                                                                                                                                                                                                                                                                                                  | must be a valid number between 1 and 65535                         |
        | told that ClusterConfiguration has networking.dnsDomain=Cluster.Local                                                                                                                                                                                                                                                                                                     | networking.dnsDomain: Invalid value                                |
        | told that ClusterConfiguration has networking.dnsDomain=a_b.local                                                                                                                                                                                                                                                                                                         | networking.dnsDomain: Invalid value                                |
        | told that ClusterConfiguration has networking.dnsDomain=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | networking.dnsDomain: Invalid value                                |
        | told that ClusterConfiguration has apiServer.certSANs=["api.example","api_example"]                                                                                                                                                                                                                                                                                       | apiServer.certSANs: Invalid value: "api_example"                   |
        | told that ClusterConfiguration has apiServer.certSANs=["a.*.example"]                                                                                                                                                                                                                                                                                                     | apiServer.certSANs: Invalid value                                  |
        | told that ClusterConfiguration has apiServer.certSANs=["*a.example"]                                                                                                                                                                                                                                                                                                      | apiServer.certSANs: Invalid value                                  |
        | told that ClusterConfiguration has apiServer.certSANs=["*"]                                                                                                                                                                                                                                                                                                               | apiServer.certSANs: Invalid value                                  |
        | told that ClusterConfiguration has apiServer.certSANs=["10.1.2.0/24"]                                                                                                                                                                                                                                                                                                     | apiServer.certSANs: Invalid value                                  |
        | told that ClusterConfiguration has certificatesDir=pki                                                                                                                                                                                                                                                                                                                    | certificatesDir: Invalid value: "pki": path is not absolute        |
        | told that ClusterConfiguration has featureGates={"NoSuchGate":true}                                                                                                                                                                                                                                                                                                       | NoSuchGate is not a valid feature name                             |
        | told that ClusterConfiguration has featureGates={"PublicKeysECDSA":true,"SuchNoGate":true}                                                                                                                                                                                                                                                                                | SuchNoGate is not a valid feature name                             |
        | for a cluster 2 minors older                                                                                                                                                                                                                                                                                                                                              | only supports deploying clusters with the control plane version >= |
        | told that ClusterConfiguration has kubernetesVersion=v1.18.0                                                                                                                                                                                                                                                                                                              | only supports deploying clusters with the control plane version >= |
        | told that ClusterConfiguration has kubernetesVersion=newest                                                                                                                                                                                                                                                                                                               | version "newest" doesn't match patterns                            |

    @since:1.31
    Scenario: of the cluster, since 1.31
      Then init refuses what it is told, and writes nothing:
        | told that ClusterConfiguration has imageRepository=registry.example/Mirror                            | imageRepository: Invalid value                              |
        | told that ClusterConfiguration has imageRepository=https://registry.example/mirror                    | imageRepository: Invalid value                              |
        | told that ClusterConfiguration has dns.imageRepository=registry.example/Mirror                        | dns.imageRepository: Invalid value                          |
        | told that ClusterConfiguration has etcd.local.imageRepository=registry.example/Mirror                 | etcd.local.imageRepository: Invalid value                   |
        | told in v1beta4, told that ClusterConfiguration has encryptionAlgorithm=DSA                           | Invalid encryption algorithm "DSA"                          |
        | told in v1beta4, told that ClusterConfiguration has apiServer.extraArgs=[{"value":"2"}]               | apiServer.extraArgs: Invalid value: "index 0"               |
        | told in v1beta4, told that ClusterConfiguration has scheduler.extraArgs=[{"name":"v"},{"value":"2"}]  | scheduler.extraArgs: Invalid value: "index 1"               |
        | told in v1beta4, told that ClusterConfiguration has controllerManager.extraArgs=[{"value":"2"}]       | controllerManager.extraArgs: Invalid value: "index 0"       |
        | told in v1beta4, told that ClusterConfiguration has etcd.local.extraArgs=[{"name":"v"},{"value":"2"}] | etcd.local.extraArgs: Invalid value: "index 1"              |
        | told in v1beta4, told that InitConfiguration has nodeRegistration.kubeletExtraArgs=[{"value":"2"}]    | nodeRegistration.kubeletExtraArgs: Invalid value: "index 0" |
        | told that InitConfiguration has nodeRegistration.imagePullPolicy=Sometimes                            | nodeRegistration.imagePullPolicy: Invalid value             |

    Scenario: a name that is longer than that of a host
      Then kubeadm init only warns of these machines:
        | named aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | Hostname | invalid node name format |

    Scenario: what will do
      Then kubeadm init takes these machines:
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":65535} |
        | told that ClusterConfiguration has controlPlaneEndpoint=lb.example                                  |
        | told that ClusterConfiguration has controlPlaneEndpoint=lb.example:8443                             |
        | told that ClusterConfiguration has apiServer.certSANs=["API.Example","10.1.2.3","*.example.com"]    |
        | told that ClusterConfiguration has imageRepository=registry.example:5000/mirror                     |
        | told that InitConfiguration has nodeRegistration.imagePullPolicy=Never                              |

  @P-412 @MUST
  Rule: An etcd is one that kubeadm runs, or one that is asked safely

    Why: everything that the cluster knows goes over these connections, its keys among it.
    Repair, for makers: either local or external; https where there is a CA, a certificate or a key; these two together,
    and with the CA; absolute paths.

    Scenario: an etcd elsewhere
      Then init refuses what it is told, and writes nothing:
        | told that ClusterConfiguration has etcd={"local":{},"external":{"endpoints":["http://192.0.2.5:2379"]}}                                                    | .Etcd.Local and .Etcd.External are mutually exclusive |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["http://192.0.2.5:2379"],"caFile":"/x/ca.crt"}}                                          | the URL must be using the HTTPS scheme                |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["https://192.0.2.5:2379","http://192.0.2.6:2379"],"caFile":"/x/ca.crt"}}                 | the URL must be using the HTTPS scheme                |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["https://192.0.2.5:2379"],"caFile":"/x/ca.crt","certFile":"/x/c.crt"}}                   | either both or none of                                |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["https://192.0.2.5:2379"],"caFile":"/x/ca.crt","keyFile":"/x/c.key"}}                    | either both or none of                                |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["https://192.0.2.5:2379"],"certFile":"/x/c.crt","keyFile":"/x/c.key"}}                   | requires .Etcd.External.CAFile                        |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["https://192.0.2.5:2379"],"caFile":"ca.crt","certFile":"/x/c.crt","keyFile":"/x/c.key"}} | etcd.external.caFile: Invalid value                   |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["https://192.0.2.5:2379"],"caFile":"/x/ca.crt","certFile":"c.crt","keyFile":"/x/c.key"}} | etcd.external.certFile: Invalid value                 |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["https://192.0.2.5:2379"],"caFile":"/x/ca.crt","certFile":"/x/c.crt","keyFile":"c.key"}} | etcd.external.keyFile: Invalid value                  |
        | told that ClusterConfiguration has etcd={"external":{"endpoints":["192.0.2.5"]}}                                                                           | the URL without scheme is not allowed                 |

    @since:1.36
    Scenario: an etcd elsewhere, and nowhere
      Then init refuses what it is told, and writes nothing:
        | told that ClusterConfiguration has etcd={"external":{"endpoints":[]}} | at least one endpoint must be specified |

    Scenario: an etcd of its own
      Then init refuses what it is told, and writes nothing:
        | told that ClusterConfiguration has etcd.local.dataDir=etcd           | path is not absolute                 |
        | told that ClusterConfiguration has etcd.local.serverCertSANs=["a_b"] | serverCertSANs: Invalid value: "a_b" |
        | told that ClusterConfiguration has etcd.local.peerCertSANs=["a_b"]   | peerCertSANs: Invalid value: "a_b"   |

  @P-413 @MUST
  Rule: Tokens and keys that are none are refused

    Why: a token in another form, in another group or for another use joins nobody, or lets in more than machines; with a
    short key the shared certificates lie open.
    Repair, for makers: tokens of [a-z0-9]{6}.[a-z0-9]{16}; known usages; groups below system:bootstrappers, and only
    with authentication; a ttl or an end; a certificate key of 32 bytes in hex.

    Scenario: tokens
      Then init refuses what it is told, and writes nothing:
        | told that InitConfiguration has bootstrapTokens=[{"token":"k3x9ta.0123456789abcde"}]                            | was not of the form                                     |
        | told that InitConfiguration has bootstrapTokens=[{"token":"K3X9TA.0123456789abcdef"}]                           | was not of the form                                     |
        | told that InitConfiguration has bootstrapTokens=[{"token":"k3x9ta.0123456789abcdef"},{"token":"k3x9ta"}]        | was not of the form                                     |
        | told that InitConfiguration has bootstrapTokens=[{"usages":["signing","authentication","login"]}]               | invalid bootstrap token usage string: login             |
        | told that InitConfiguration has bootstrapTokens=[{"usages":["signing"]}]                                        | token groups cannot be specified unless                 |
        | told that InitConfiguration has bootstrapTokens=[{"groups":["system:masters"]}]                                 | bootstrap group "system:masters" is invalid             |
        | told that InitConfiguration has bootstrapTokens=[{"groups":["system:bootstrappers:Nodes"]}]                     | bootstrap group "system:bootstrappers:Nodes" is invalid |
        | told that InitConfiguration has bootstrapTokens=[{"groups":["system:bootstrappers:a:"]}]                        | bootstrap group "system:bootstrappers:a:" is invalid    |
        | told that InitConfiguration has bootstrapTokens=[{},{"groups":["system:bootstrappers"]}]                        | bootstrapTokens.1.groups                                |
        | told that InitConfiguration has bootstrapTokens=[{"groups":["system:bootstrappers:a","system:bootstrappersx"]}] | bootstrap group "system:bootstrappersx" is invalid      |
        | told that InitConfiguration has bootstrapTokens=[{"ttl":"1h","expires":"2050-01-01T00:00:00Z"}]                 | mutually exclusive                                      |
        | told that InitConfiguration has bootstrapTokens=[{"expires":"2050-01-01T00:00:00Z"}]                            | mutually exclusive                                      |
        | told that InitConfiguration has bootstrapTokens=[{"token":"k3x9ta.0123456789abcdef0"}]                          | was not of the form                                     |
        | told that InitConfiguration has bootstrapTokens=[{"token":"k3x9ta:0123456789abcdef"}]                           | was not of the form                                     |
        | told that InitConfiguration has bootstrapTokens=[{"ttl":"24"}]                                                  | duration "24"                                           |
        | told that InitConfiguration has bootstrapTokens=[{"ttl":"soon"}]                                                | duration "soon"                                         |

    @since:1.31
    Scenario: the certificate key
      Then init refuses what it is told, and writes nothing:
        | told that InitConfiguration has certificateKey=zz                                                                 | certificate key decoding error  |
        | told that InitConfiguration has certificateKey=ghijklmnghijklmnghijklmnghijklmnghijklmnghijklmnghijklmnghijklmn   | certificate key decoding error  |
        | told that InitConfiguration has certificateKey=00112233445566778899aabbccddeeff                                   | invalid certificate key size 16 |
        | told that InitConfiguration has certificateKey=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00 | invalid certificate key size 33 |
        | told that InitConfiguration has certificateKey=00112233445566778899aabbccddeeff00112233445566778899aabbccddeef    | odd length hex string           |

    Scenario: what will do
      Then kubeadm init takes these machines:
        | told that InitConfiguration has bootstrapTokens=[{"token":"k3x9ta.0123456789abcdef","ttl":"0"}]                       |
        | told that InitConfiguration has bootstrapTokens=[{"usages":["authentication"],"groups":["system:bootstrappers:a:b"]}] |
        | told that InitConfiguration has certificateKey=00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF       |

  @P-414 @MUST
  Rule: Documents are of a version that is read, each kind once, and their fields of their types

    Why: what is read halfway makes another cluster than was written down, and nobody notices.
    Repair, for makers: end with versions that are too old or not known, with kinds that come twice, with documents
    without a kind and with values of another type; warn of fields and documents that are not read.

    Scenario: what is not read at all
      Then init refuses what it is told, and writes nothing:
        | told in v1beta1                                                                               | uses an old API spec: "kubeadm.k8s.io/v1beta1"              |
        | told in v1alpha3                                                                              | uses an old API spec: "kubeadm.k8s.io/v1alpha3"             |
        | told in v1beta9                                                                               | is registered for version "kubeadm.k8s.io/v1beta9"          |
        | told besides {"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"ClusterConfiguration"}            | is specified twice                                          |
        | told besides {"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"InitConfiguration"}               | is specified twice                                          |
        | told besides {"kind":"ClusterConfiguration"}                                                  | kind and apiVersion is mandatory                            |
        | told besides {"apiVersion":"kubeadm.k8s.io/v1beta3"}                                          | kind and apiVersion is mandatory                            |
        | told nothing but {"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"JoinConfiguration"}           | no InitConfiguration or ClusterConfiguration kind was found |
        | told nothing but {"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration"} | no InitConfiguration or ClusterConfiguration kind was found |

    Scenario: values of another type
      Then init refuses what it is told, and writes nothing:
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":"6443"} | cannot unmarshal string into Go struct field |
        | told that InitConfiguration has nodeRegistration.kubeletExtraArgs=["v=2"]                            | cannot unmarshal array into Go struct field  |
        | told that ClusterConfiguration has clusterName=5                                                     | cannot unmarshal number into Go struct field |
        | told that ClusterConfiguration has apiServer.certSANs={}                                             | cannot unmarshal object into Go struct field |
        | told that ClusterConfiguration has apiServer.extraArgs=[{"name":"v","value":"2"}]                    | cannot unmarshal array into Go struct field  |
        | told that ClusterConfiguration has featureGates={"PublicKeysECDSA":"yes"}                            | cannot unmarshal string into Go              |

    @since:1.31
    Scenario: values of another type, in v1beta4
      Then init refuses what it is told, and writes nothing:
        | told in v1beta4, told that ClusterConfiguration has apiServer.extraArgs={"v":"2"}    | cannot unmarshal object into Go struct field |
        | told in v1beta4, told that ClusterConfiguration has certificateValidityPeriod=1d     | duration "1d"                                |
        | told in v1beta4, told that InitConfiguration has timeouts={"kubernetesAPICall":"1x"} | duration "1x"                                |

    Scenario: fields and documents that nobody reads
      Then the phase control-plane/scheduler warns of these machines:
        | told that ClusterConfiguration has controlPlaneEndpiont=lb.example:6443                    | unknown field "controlPlaneEndpiont"        |
        | told that InitConfiguration has bindPort=1                                                 | unknown field "bindPort"                    |
        | told that InitConfiguration has nodeRegistration.taint=[]                                  | unknown field "nodeRegistration.taint"      |
        | told besides {"apiVersion":"example.com/v1","kind":"Other"}                                | GroupVersionKind example.com/v1, Kind=Other |
        | told besides {"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"NoSuchConfiguration"}          | Kind=NoSuchConfiguration                    |
        | told that InitConfiguration has timeouts={"discovery":"1m"}                                | unknown field "timeouts"                    |
        | told that ClusterConfiguration has apiServer.extraEnvs=[]                                  | unknown field "apiServer.extraEnvs"         |
        | told that ClusterConfiguration has encryptionAlgorithm=ECDSA-P256                          | unknown field "encryptionAlgorithm"         |
        | told that ClusterConfiguration has networking.podSubnets=[]                                | unknown field "networking.podSubnets"       |
        | told that ClusterConfiguration has etcd.local.dataDirectory=/x                             | unknown field "etcd.local.dataDirectory"    |
        | told that InitConfiguration has bootstrapTokens=[{"usage":["signing"]}]                    | unknown field "bootstrapTokens[0].usage"    |
        | told that InitConfiguration has nodeRegistration.criSocket=/run/containerd/containerd.sock | without URL scheme                          |

    Scenario: fields and documents that nobody reads, of control-plane scheduler
      Then the phase control-plane/scheduler does not warn of these machines:
        | as it should be                                                                                                                                                                                                         | unknown field |
        | as it should be                                                                                                                                                                                                         | Ignored       |
        | told that ClusterConfiguration has {"apiServer":{"timeoutForControlPlane":"1m","certSANs":[],"extraVolumes":[]},"dns":{"imageTag":"v1"},"etcd":{"local":{"imageTag":"3"}},"clusterName":"a"}                            | unknown field |
        | told that InitConfiguration has {"certificateKey":"","skipPhases":[],"patches":{"directory":"/tmp"},"bootstrapTokens":[{"description":"a","groups":["system:bootstrappers:a"],"usages":["authentication"],"ttl":"1h"}]} | unknown field |

    @since:1.31
    Scenario: fields of v1beta4
      Then the phase control-plane/scheduler does not warn of these machines:
        | told in v1beta4, told that ClusterConfiguration has {"apiServer":{"extraEnvs":[]},"etcd":{"local":{"extraEnvs":[]}},"dns":{"disabled":true},"proxy":{"disabled":true},"encryptionAlgorithm":"RSA-2048","certificateValidityPeriod":"1h","caCertificateValidityPeriod":"2h"} | unknown field |
        | told in v1beta4, told that InitConfiguration has {"dryRun":false,"timeouts":{"discovery":"1m","kubernetesAPICall":"1m","etcdAPICall":"1m","tlsBootstrap":"1m","upgradeManifests":"1m","kubeletHealthCheck":"1m"}}                                                           | unknown field |

    @since:1.31
    Scenario: fields that v1beta4 has no more
      Then the phase control-plane/scheduler warns of these machines:
        | told in v1beta4, told that ClusterConfiguration has apiServer.timeoutForControlPlane=1m | unknown field "apiServer.timeoutForControlPlane" |

  @P-415 @MUST
  Rule: What documents say is said by no flag beside them

    Why: of two that say different things one is lost.
    Repair, for makers: refuse every flag beside --config but those that no document has.

    Scenario: flags and documents
      Then init refuses what it is told, and writes nothing:
        | with the flag --pod-network-cidr=10.244.0.0/16                                | can not mix '--config' with arguments [pod-network-cidr]             |
        | with the flag --apiserver-bind-port=7443                                      | can not mix '--config' with arguments [apiserver-bind-port]          |
        | with the flag --cri-socket=unix:///run/x.sock                                 | can not mix '--config' with arguments [cri-socket]                   |
        | with the flag --token-ttl=1h, with the flag --service-dns-domain=corp.example | can not mix '--config' with arguments [service-dns-domain token-ttl] |

    Scenario: flags that may stand beside them
      Then a whole init keeps what is there on these machines:
        | where an init has left all, with the flag --skip-token-print |
        | where an init has left all, with the flag --upload-certs     |

  @P-416 @MUST
  Rule: Names of checks are whole names, wherever they are told

    Why: who ignores one port must not ignore them all.
    Repair, for makers: compare whole names; take "all" from the flag and from the configuration alike.

    Scenario: parts of names
      Then kubeadm init stops on these machines:
        | without mount, ignoring FileExisting             | FileExisting-mount | mount not found |
        | without mount, ignoring FileExisting-moun        | FileExisting-mount | mount not found |
        | without mount, ignoring FileExisting-mountx      | FileExisting-mount | mount not found |
        | without mount, ignoring mount                    | FileExisting-mount | mount not found |
        | without mount, ignoring FileExisting-*           | FileExisting-mount | mount not found |
        | without mount, configured to ignore FileExisting | FileExisting-mount | mount not found |
        | with port 6443 in use, ignoring Port             | Port-6443          | in use          |
        | with port 6443 in use, ignoring Port-64          | Port-6443          | in use          |
        | with port 10250 in use, ignoring Port-1025       | Port-10250         | in use          |

    Scenario: all of them, in a configuration
      Then kubeadm init warns, whatever it is told to ignore:
        | without mount, configured to ignore all | FileExisting-mount | mount not found |
        | without mount, configured to ignore ALL | FileExisting-mount | mount not found |

    Scenario: all of them, in a configuration, beside names
      Then kubeadm refuses what it is told of these machines:
        | as it should be, configured to ignore all, ignoring Swap | don't specify individual checks if 'all' is used |
        | as it should be, configured to ignore all+Swap           | don't specify individual checks if 'all' is used |
        | as it should be, configured to ignore Swap, ignoring all | don't specify individual checks if 'all' is used |

  @P-417 @MUST
  Rule: A control plane has two processors, 1700 MB of memory and its own port, at its init and at its join

    Why: with less the API server starts too late for its probes, and is ended again and again.
    Repair: take a larger machine.

    Scenario: before init
      Then kubeadm init stops on these machines:
        | with 1 processor        | NumCPU | the number of available CPUs 1 is less than the required 2 |
        | with 1699 MiB of memory | Mem    | is less than the minimum 1700 MB                           |

    Scenario: before init, and what is enough
      Then kubeadm init takes these machines:
        | with 2 processors, with 1700 MiB of memory |

    Scenario: before the join of a control plane
      Then kubeadm join stops on these machines:
        | that becomes a control plane, with 1 processor        | NumCPU | the number of available CPUs 1 is less than the required 2 |
        | that becomes a control plane, with 1699 MiB of memory | Mem    | is less than the minimum 1700 MB                           |

    Scenario: another port, before the join of a control plane
      Then kubeadm join stops on these machines:
        | that becomes a control plane, told that JoinConfiguration has controlPlane.localAPIEndpoint.bindPort=7443, with port 7443 in use | Port-7443 | in use |

    Scenario: before the join of a worker
      Then kubeadm join says nothing of this:
        | with 1 processor        | NumCPU |
        | with 1699 MiB of memory | Mem    |

  @P-427 @MUST
  Rule: The checks look where the cluster is configured to be

    Why: what is looked for at the usual places alone is found too late at the others.
    Repair, for makers: take port and folder from the configuration.

    Scenario: another port
      Then kubeadm init stops on these machines:
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443}, with port 7443 in use | Port-7443 | in use |

    Scenario: another port, and those of the others
      Then kubeadm init stops on these machines:
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443}, with port 10250 in use | Port-10250 | in use |
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443}, with port 10257 in use | Port-10257 | in use |
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443}, with port 10259 in use | Port-10259 | in use |

    Scenario: another port, and the usual one
      Then kubeadm init says nothing of this:
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443}, with port 6443 in use | Port-6443 |

    Scenario: another port, behind a firewall
      Then kubeadm init only warns of these machines:
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443}, whose service firewalld is active | Firewalld | ports [7443 10250] |

    Scenario: a second subnet of Services and of Pods
      Then kubeadm init only warns of these machines:
        | told that ClusterConfiguration has networking={"serviceSubnet":"10.96.0.0/16,fd01::/112","podSubnet":"10.244.0.0/16,fd02::/48"}, behind a proxy but for 10.0.0.0/8+192.0.2.10+fd02::/48  | HTTPProxyCIDR | connection to "fd01::/112" uses proxy |
        | told that ClusterConfiguration has networking={"serviceSubnet":"10.96.0.0/16,fd01::/112","podSubnet":"10.244.0.0/16,fd02::/48"}, behind a proxy but for 10.0.0.0/8+192.0.2.10+fd01::/112 | HTTPProxyCIDR | connection to "fd02::/48" uses proxy  |

    Scenario: another file of the CA
      Then kubeadm join stops on these machines:
        | told that JoinConfiguration has caCertPath=/x/ca.crt, with /x/ca.crt | FileAvailable--x-ca.crt | already exists |

    Scenario: another file of the CA, and the usual one
      Then kubeadm join says nothing of this:
        | told that JoinConfiguration has caCertPath=/x/ca.crt, with /etc/kubernetes/pki/ca.crt | FileAvailable |

    Scenario: another folder
      Then kubeadm init stops on these machines:
        | told that ClusterConfiguration has etcd.local.dataDir=/data/etcd, with /data/etcd/member | DirAvailable--data-etcd | is not empty |

    Scenario: a file in the place of the folder
      Then kubeadm init stops on these machines:
        | with /var/lib/etcd | DirAvailable--var-lib-etcd | is not empty |

    Scenario: another folder, and the usual one
      Then kubeadm init says nothing of this:
        | told that ClusterConfiguration has etcd.local.dataDir=/data/etcd, with /var/lib/etcd/member | DirAvailable |
