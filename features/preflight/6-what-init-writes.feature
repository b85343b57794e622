Feature: What init writes

  What it is told reaches the certificates, the kubeconfigs, the manifests and the kubelet; and each phase that is run by
  itself writes its own files.

  @P-424 @MUST
  Rule: Certificates and kubeconfigs are for the cluster that init is told of

    Why: clients refuse a server whose name is not in its certificate, and ask where their kubeconfig says.
    Repair, for makers: take names, addresses, ports, groups and life from the configuration.

    Scenario: the certificate of the API server
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca.                                                                                                    | pki/apiserver.crt | for 10.96.0.1                               |
        |                                                                                                                                   |                   | key usage digitalSignature                  |
        |                                                                                                                                   |                   | key usage keyEncipherment                   |
        |                                                                                                                                   |                   | no key usage keyCertSign                    |
        |                                                                                                                                   |                   | for kubernetes.default.svc.cluster.local    |
        |                                                                                                                                   |                   | lives 365 days                              |
        |                                                                                                                                   |                   | signed by pki/ca.crt                        |
        |                                                                                                                                   |                   | mode 644                                    |
        |                                                                                                                                   | pki/apiserver.key | belongs to pki/apiserver.crt                |
        |                                                                                                                                   |                   | mode 600                                    |
        | where an init has left pki/ca., told that ClusterConfiguration has networking.dnsDomain=corp.example                              | pki/apiserver.crt | for kubernetes.default.svc.corp.example     |
        |                                                                                                                                   |                   | no for kubernetes.default.svc.cluster.local |
        | where an init has left pki/ca., told that ClusterConfiguration has networking.serviceSubnet=10.100.0.0/16                         | pki/apiserver.crt | for 10.100.0.1                              |
        |                                                                                                                                   |                   | no for 10.96                                |
        | where an init has left pki/ca., told that ClusterConfiguration has apiServer.certSANs=["API.Example","10.1.2.3","*.corp.example"] | pki/apiserver.crt | for api.example                             |
        |                                                                                                                                   |                   | for 10.1.2.3                                |
        |                                                                                                                                   |                   | for *.corp.example                          |
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example:8443                           | pki/apiserver.crt | for lb.example                              |
        | where an init has left pki/ca., told that InitConfiguration has localAPIEndpoint.advertiseAddress=192.0.2.11                      | pki/apiserver.crt | for 192.0.2.11                              |
        |                                                                                                                                   |                   | no for 192.0.2.10                           |
        | where an init has left pki/ca., told that InitConfiguration has nodeRegistration.name=CP-9                                        | pki/apiserver.crt | for cp-9                                    |

    @since:1.31
    Scenario: the certificate of the API server, in v1beta4
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca., told in v1beta4, told that ClusterConfiguration has certificateValidityPeriod=240h | pki/apiserver.crt | lives 10 days |

    @since:1.34
    Scenario: the certificate of the API server, by another algorithm
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca., told in v1beta4, told that ClusterConfiguration has encryptionAlgorithm=ECDSA-P384 | pki/apiserver.key | key ec secp384r1 |

    @since:1.31
    Scenario: an authority
      Then the phase certs/ca leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has caCertificateValidityPeriod=2400h, told that ClusterConfiguration has encryptionAlgorithm=ECDSA-P256 | pki/ca.crt | lives 100 days    |
        |                                                                                                                                                          |            | an authority      |
        |                                                                                                                                                          |            | key ec prime256v1 |

    Scenario: an authority by its name
      Then the phase certs/ca leaves on these machines:
        | as it should be | pki/ca.crt | CN=kubernetes              |
        |                 |            | for kubernetes             |
        |                 |            | lives 3650 days            |
        |                 |            | key usage digitalSignature |
        |                 |            | key usage keyEncipherment  |
        |                 |            | key usage keyCertSign      |
        |                 |            | no key usage cRLSign       |
        |                 |            | no usage                   |
        |                 |            | no path                    |
        |                 |            | an authority               |
        |                 |            | mode 644                   |
        |                 | pki/ca.key | mode 600                   |

    Scenario: an authority by its name, of certs front-proxy-ca
      Then the phase certs/front-proxy-ca leaves on these machines:
        | as it should be | pki/front-proxy-ca.crt | CN=front-proxy-ca          |
        |                 |                        | for front-proxy-ca         |
        |                 |                        | lives 3650 days            |
        |                 |                        | an authority               |
        |                 |                        | key usage digitalSignature |
        |                 |                        | key usage keyEncipherment  |
        |                 |                        | key usage keyCertSign      |
        |                 |                        | no key usage cRLSign       |
        |                 |                        | no usage                   |
        |                 |                        | no path                    |

    Scenario: an authority by its name, of certs etcd-ca
      Then the phase certs/etcd-ca leaves on these machines:
        | as it should be | pki/etcd/ca.crt | CN=etcd-ca                 |
        |                 |                 | for etcd-ca                |
        |                 |                 | lives 3650 days            |
        |                 |                 | an authority               |
        |                 |                 | key usage digitalSignature |
        |                 |                 | key usage keyEncipherment  |
        |                 |                 | key usage keyCertSign      |
        |                 |                 | no key usage cRLSign       |
        |                 |                 | no usage                   |
        |                 |                 | no path                    |

    Scenario: certificates of etcd
      Then the phase certs/etcd-server leaves on these machines:
        | where an init has left pki/etcd/ca., told that ClusterConfiguration has etcd.local.serverCertSANs=["etcd.example"] | pki/etcd/server.crt | for etcd.example           |
        |                                                                                                                    |                     | lives 365 days             |
        |                                                                                                                    |                     | key usage digitalSignature |
        |                                                                                                                    |                     | key usage keyEncipherment  |
        |                                                                                                                    |                     | no key usage keyCertSign   |
        |                                                                                                                    |                     | for 127.0.0.1              |
        |                                                                                                                    |                     | CN=cp-1                    |
        |                                                                                                                    |                     | no O=                      |

    Scenario: certificates of etcd, of certs etcd-peer
      Then the phase certs/etcd-peer leaves on these machines:
        | where an init has left pki/etcd/ca., told that ClusterConfiguration has etcd.local.peerCertSANs=["peer.example"]   | pki/etcd/peer.crt | for peer.example |
        | where an init has left pki/etcd/ca., told that ClusterConfiguration has etcd.local.serverCertSANs=["etcd.example"] | pki/etcd/peer.crt | no for etcd      |

    Scenario: certificates of etcd, of certs etcd-ca
      Then the phase certs/etcd-ca leaves on these machines:
        | with an etcd elsewhere of 3.6.4 | pki/etcd/ca.crt | nothing |

    Scenario: certificates of etcd, of certs etcd-server
      Then the phase certs/etcd-server leaves on these machines:
        | with an etcd elsewhere of 3.6.4 | pki/etcd/server.crt | nothing |

    Scenario: kubeconfigs
      Then the phase kubeconfig/admin leaves on these machines:
        | where an init has left pki/ca.                                                                                                     | admin.conf | asks https://192.0.2.10:6443 |
        |                                                                                                                                    |            | lives 365 days               |
        |                                                                                                                                    |            | key usage digitalSignature   |
        |                                                                                                                                    |            | no key usage keyCertSign     |
        |                                                                                                                                    |            | cluster kubernetes           |
        |                                                                                                                                    |            | believes pki/ca.crt          |
        |                                                                                                                                    |            | signed by pki/ca.crt         |
        |                                                                                                                                    |            | mode 600                     |
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example                                 | admin.conf | asks https://lb.example:6443 |
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example:8443                            | admin.conf | asks https://lb.example:8443 |
        | where an init has left pki/ca., told that ClusterConfiguration has clusterName=prod                                                | admin.conf | cluster prod                 |
        | where an init has left pki/ca., told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443} | admin.conf | asks https://192.0.2.10:7443 |

    Scenario: kubeconfigs, of kubeconfig kubelet
      Then the phase kubeconfig/kubelet leaves on these machines:
        | where an init has left pki/ca., told that InitConfiguration has nodeRegistration.name=cp-9 | kubelet.conf | CN=system:node:cp-9        |
        |                                                                                            |              | lives 365 days             |
        |                                                                                            |              | key usage digitalSignature |
        |                                                                                            |              | no key usage keyCertSign   |
        |                                                                                            |              | O=system:nodes             |

    Scenario: kubeconfigs, of kubeconfig controller-manager
      Then the phase kubeconfig/controller-manager leaves on these machines:
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example | controller-manager.conf | asks https://192.0.2.10:6443      |
        |                                                                                                    |                         | lives 365 days                    |
        |                                                                                                    |                         | key usage digitalSignature        |
        |                                                                                                    |                         | no key usage keyCertSign          |
        |                                                                                                    |                         | CN=system:kube-controller-manager |

    Scenario: what they are shown for
      Then the phase certs/apiserver-kubelet-client leaves on these machines:
        | where an init has left pki/ca. | pki/apiserver-kubelet-client.crt | CN=kube-apiserver-kubelet-client |
        |                                |                                  | lives 365 days                   |
        |                                |                                  | key usage digitalSignature       |
        |                                |                                  | key usage keyEncipherment        |
        |                                |                                  | no key usage keyCertSign         |
        |                                |                                  | usage clientAuth                 |
        |                                |                                  | no usage serverAuth              |
        |                                |                                  | no for                           |

    Scenario: what they are shown for, of the API server itself
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca. | pki/apiserver.crt | usage serverAuth    |
        |                                |                   | no usage clientAuth |
        |                                |                   | no O=               |
        |                                |                   | no an authority     |

    Scenario: what they are shown for, of certs front-proxy-client
      Then the phase certs/front-proxy-client leaves on these machines:
        | where an init has left pki/front-proxy-ca. | pki/front-proxy-client.crt | CN=front-proxy-client            |
        |                                            |                            | lives 365 days                   |
        |                                            |                            | key usage digitalSignature       |
        |                                            |                            | key usage keyEncipherment        |
        |                                            |                            | no key usage keyCertSign         |
        |                                            |                            | usage clientAuth                 |
        |                                            |                            | no usage serverAuth              |
        |                                            |                            | signed by pki/front-proxy-ca.crt |
        |                                            |                            | no O=                            |

    Scenario: what they are shown for, of certs etcd-healthcheck-client
      Then the phase certs/etcd-healthcheck-client leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/etcd/healthcheck-client.crt | CN=kube-etcd-healthcheck-client |
        |                                     |                                 | lives 365 days                  |
        |                                     |                                 | key usage digitalSignature      |
        |                                     |                                 | key usage keyEncipherment       |
        |                                     |                                 | no key usage keyCertSign        |
        |                                     |                                 | usage clientAuth                |
        |                                     |                                 | no usage serverAuth             |

    Scenario: what they are shown for, of certs apiserver-etcd-client
      Then the phase certs/apiserver-etcd-client leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/apiserver-etcd-client.crt | CN=kube-apiserver-etcd-client |
        |                                     |                               | lives 365 days                |
        |                                     |                               | key usage digitalSignature    |
        |                                     |                               | key usage keyEncipherment     |
        |                                     |                               | no key usage keyCertSign      |
        |                                     |                               | usage clientAuth              |
        |                                     |                               | no usage serverAuth           |

    Scenario: what they are shown for, of certs etcd-peer
      Then the phase certs/etcd-peer leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/etcd/peer.crt | usage clientAuth           |
        |                                     |                   | lives 365 days             |
        |                                     |                   | key usage digitalSignature |
        |                                     |                   | key usage keyEncipherment  |
        |                                     |                   | no key usage keyCertSign   |
        |                                     |                   | usage serverAuth           |
        |                                     |                   | CN=cp-1                    |
        |                                     |                   | no O=                      |
        |                                     |                   | for localhost              |

    @since:1.29
    Scenario: administrators whom RBAC holds
      Then the phase kubeconfig/admin leaves on these machines:
        | where an init has left pki/ca. | admin.conf | CN=kubernetes-admin      |
        |                                |            | O=kubeadm:cluster-admins |
        |                                |            | no O=system:masters      |
        |                                |            | usage clientAuth         |
        |                                |            | no usage serverAuth      |

    @since:1.29
    Scenario: administrators whom RBAC holds, of certs apiserver-kubelet-client
      Then the phase certs/apiserver-kubelet-client leaves on these machines:
        | where an init has left pki/ca. | pki/apiserver-kubelet-client.crt | no O=system:masters |

    @since:1.29
    Scenario: nobody whom RBAC does not hold, of certs etcd-healthcheck-client
      Then the phase certs/etcd-healthcheck-client leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/etcd/healthcheck-client.crt | no O= |

    @since:1.29
    Scenario: nobody whom RBAC does not hold, of certs apiserver-etcd-client
      Then the phase certs/apiserver-etcd-client leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/apiserver-etcd-client.crt | no O= |

    @since:1.29
    Scenario: the administrator whom it does not hold
      Then the phase kubeconfig/super-admin leaves on these machines:
        | where an init has left pki/ca. | super-admin.conf | O=system:masters |
        |                                |                  | mode 600         |

    Scenario: kubeconfigs, of kubeconfig scheduler
      Then the phase kubeconfig/scheduler leaves on these machines:
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example | scheduler.conf | asks https://192.0.2.10:6443 |
        |                                                                                                    |                | CN=system:kube-scheduler     |
        |                                                                                                    |                | no O=                        |
        |                                                                                                    |                | mode 600                     |

    Scenario: blanks around the name of the machine
      Then the phase certs/etcd-server leaves on these machines:
        | where an init has left pki/etcd/ca., told that InitConfiguration has nodeRegistration.name="\u0020cp-9\u0020" | pki/etcd/server.crt | CN=cp-9 |

    Scenario: kubeconfigs where the port is another
      Then the phase kubeconfig/admin leaves on these machines:
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example, told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.10","bindPort":7443} | admin.conf | asks https://lb.example:7443 |
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=192.0.2.5                                                                                                      | admin.conf | asks https://192.0.2.5:6443  |
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=fd00::1                                                                                                        | admin.conf | asks https://[fd00::1]:6443  |
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=[fd00::1]:8443                                                                                                 | admin.conf | asks https://[fd00::1]:8443  |
        | where an init has left pki/ca., at an IPv6 address                                                                                                                                                     | admin.conf | asks https://[fd00::10]:6443 |

    Scenario: the certificate of an API server at an IPv6 address
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca., at an IPv6 address                                                                         | pki/apiserver.crt | for fd00::10   |
        |                                                                                                                            |                   | for fd01::1    |
        | where an init has left pki/ca., told that ClusterConfiguration has networking={"serviceSubnet":"10.100.0.0/16,fd01::/112"} | pki/apiserver.crt | for 10.100.0.1 |

    @since:1.31
    Scenario: lives of one kind
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca., told in v1beta4, told that ClusterConfiguration has caCertificateValidityPeriod=2400h | pki/apiserver.crt | lives 365 days |

    @since:1.31
    Scenario: lives of authorities, of certs etcd-ca
      Then the phase certs/etcd-ca leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has caCertificateValidityPeriod=2400h | pki/etcd/ca.crt | lives 100 days |

    @since:1.31
    Scenario: lives of authorities, of certs front-proxy-ca
      Then the phase certs/front-proxy-ca leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has caCertificateValidityPeriod=2400h | pki/front-proxy-ca.crt | lives 100 days |

    @since:1.31
    Scenario: lives of one kind, of an authority
      Then the phase certs/ca leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has {"certificateValidityPeriod":"240h","encryptionAlgorithm":"ECDSA-P256"} | pki/ca.crt | lives 3650 days |

    Scenario: another folder of certificates
      Then the phase certs/ca leaves on these machines:
        | told that ClusterConfiguration has certificatesDir=/etc/kubernetes/own | own/ca.crt | an authority |
        |                                                                        | pki/ca.crt | nothing      |

    Scenario: all names of the API server
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca. | pki/apiserver.crt | for kubernetes             |
        |                                |                   | for kubernetes.default     |
        |                                |                   | for kubernetes.default.svc |
        |                                |                   | for cp-1                   |
        |                                |                   | for 192.0.2.10             |
        |                                |                   | no O=                      |

    Scenario: all names of etcd
      Then the phase certs/etcd-server leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/etcd/server.crt | for cp-1         |
        |                                     |                     | for localhost    |
        |                                     |                     | for 192.0.2.10   |
        |                                     |                     | for ::1          |
        |                                     |                     | usage clientAuth |
        |                                     |                     | usage serverAuth |

    Scenario: all names of etcd, of its peer
      Then the phase certs/etcd-peer leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/etcd/peer.crt | for cp-1       |
        |                                     |                   | for 192.0.2.10 |
        |                                     |                   | for 127.0.0.1  |
        |                                     |                   | for ::1        |
        |                                     |                   | CN=cp-1        |

    @since:1.29
    Scenario: clients of etcd in no group
      Then the phase certs/etcd-healthcheck-client leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/etcd/healthcheck-client.crt | no O= |

    @since:1.29
    Scenario: clients of etcd in no group, of the API server
      Then the phase certs/apiserver-etcd-client leaves on these machines:
        | where an init has left pki/etcd/ca. | pki/apiserver-etcd-client.crt | no O=                     |
        |                                     |                               | signed by pki/etcd/ca.crt |

    Scenario: clients in no group, of the front proxy
      Then the phase certs/front-proxy-client leaves on these machines:
        | where an init has left pki/front-proxy-ca. | pki/front-proxy-client.crt | no O= |

    @since:1.33
    Scenario: the kubelet asks its own API server
      Then the phase kubeconfig/kubelet leaves on these machines:
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example | kubelet.conf | asks https://192.0.2.10:6443 |

    @until:1.32
    Scenario: the kubelet asks the common endpoint
      Then the phase kubeconfig/kubelet leaves on these machines:
        | where an init has left pki/ca., told that ClusterConfiguration has controlPlaneEndpoint=lb.example | kubelet.conf | asks https://lb.example:6443 |

    Scenario: beginning and name of kubeconfigs
      Then the phase kubeconfig/admin leaves on these machines:
        | where an init has left pki/ca.                                                      | admin.conf | begins with pki/ca.crt              |
        |                                                                                     |            | context kubernetes-admin@kubernetes |
        | where an init has left pki/ca., told that ClusterConfiguration has clusterName=prod | admin.conf | context kubernetes-admin@prod       |

    Scenario: beginning and name of kubeconfigs, of controllers
      Then the phase kubeconfig/controller-manager leaves on these machines:
        | where an init has left pki/ca. | controller-manager.conf | begins with pki/ca.crt                            |
        |                                |                         | context system:kube-controller-manager@kubernetes |
        |                                |                         | no O=                                             |

    @since:1.31
    Scenario: lives of kubeconfigs
      Then the phase kubeconfig/admin leaves on these machines:
        | where an init has left pki/ca., told in v1beta4, told that ClusterConfiguration has certificateValidityPeriod=240h | admin.conf | lives 10 days |

    @since:1.34
    Scenario: keys of another algorithm, of kubeconfigs
      Then the phase kubeconfig/scheduler leaves on these machines:
        | where an init has left pki/ca., told in v1beta4, told that ClusterConfiguration has encryptionAlgorithm=ECDSA-P384 | scheduler.conf | key ec secp384r1 |

    @since:1.34
    Scenario: keys of another algorithm, of service accounts
      Then the phase certs/sa leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has encryptionAlgorithm=ECDSA-P384 | pki/sa.key | key ec secp384r1 |

    @since:1.31
    Scenario: keys of another size
      Then the phase certs/front-proxy-client leaves on these machines:
        | where an init has left pki/front-proxy-ca., told in v1beta4, told that ClusterConfiguration has encryptionAlgorithm=RSA-3072 | pki/front-proxy-client.key | key rsa 3072 |

    @since:1.31
    Scenario: keys of another size, of an authority
      Then the phase certs/front-proxy-ca leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has encryptionAlgorithm=RSA-3072 | pki/front-proxy-ca.key | key rsa 3072 |

    @since:1.31
    Scenario: keys of another size, of service accounts
      Then the phase certs/sa leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has encryptionAlgorithm=RSA-3072 | pki/sa.key | key rsa 3072 |

  @P-425 @MUST
  Rule: Manifests and the kubelet are configured as init is told

    Why: a component that is told nothing of it works for another cluster, or as openly as its defaults.
    Repair, for makers: take flags, images, mounts and times from the configuration.

    Scenario: the control plane
      Then the phase control-plane/all leaves on these machines:
        | told that ClusterConfiguration has networking.podSubnet=10.250.0.0/16                                                                                                                                                     | manifests/kube-controller-manager.yaml | --cluster-cidr=10.250.0.0/16                                                     |
        |                                                                                                                                                                                                                           |                                        | --allocate-node-cidrs=true                                                       |
        | told that ClusterConfiguration has networking={}                                                                                                                                                                          | manifests/kube-controller-manager.yaml | no --cluster-cidr                                                                |
        |                                                                                                                                                                                                                           |                                        | no --allocate-node-cidrs                                                         |
        | told that ClusterConfiguration has networking={"serviceSubnet":"10.100.0.0/16","podSubnet":"10.250.0.0/16"}                                                                                                               | manifests/kube-apiserver.yaml          | --service-cluster-ip-range=10.100.0.0/16                                         |
        |                                                                                                                                                                                                                           | manifests/kube-controller-manager.yaml | --service-cluster-ip-range=10.100.0.0/16                                         |
        | told that ClusterConfiguration has networking.dnsDomain=corp.example                                                                                                                                                      | manifests/kube-apiserver.yaml          | --service-account-issuer=https://kubernetes.default.svc.corp.example             |
        | told that ClusterConfiguration has clusterName=prod                                                                                                                                                                       | manifests/kube-controller-manager.yaml | --cluster-name=prod                                                              |
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.11","bindPort":7443}                                                                                                                        | manifests/kube-apiserver.yaml          | --secure-port=7443                                                               |
        |                                                                                                                                                                                                                           |                                        | --advertise-address=192.0.2.11                                                   |
        |                                                                                                                                                                                                                           |                                        | probe host: 192.0.2.11                                                           |
        | told that ClusterConfiguration has certificatesDir=/etc/kubernetes/own                                                                                                                                                    | manifests/kube-apiserver.yaml          | --client-ca-file=/etc/kubernetes/own/ca.crt                                      |
        |                                                                                                                                                                                                                           |                                        | mounts /etc/kubernetes/own (DirectoryOrCreate) at /etc/kubernetes/own, read-only |
        | told that ClusterConfiguration has imageRepository=registry.example:5000/mirror                                                                                                                                           | manifests/kube-apiserver.yaml          | image from registry.example:5000/mirror                                          |
        |                                                                                                                                                                                                                           | manifests/kube-scheduler.yaml          | image from registry.example:5000/mirror                                          |
        | told that ClusterConfiguration has {"apiServer":{"extraArgs":{"kubelet-preferred-address-types":"Hostname"}},"controllerManager":{"extraArgs":{"bind-address":"::1"}},"scheduler":{"extraArgs":{"leader-elect":"false"}}} | manifests/kube-apiserver.yaml          | --kubelet-preferred-address-types=Hostname                                       |
        |                                                                                                                                                                                                                           |                                        | no --kubelet-preferred-address-types=InternalIP                                  |
        |                                                                                                                                                                                                                           | manifests/kube-controller-manager.yaml | --bind-address=::1                                                               |
        |                                                                                                                                                                                                                           |                                        | no --bind-address=127.0.0.1                                                      |
        |                                                                                                                                                                                                                           | manifests/kube-scheduler.yaml          | --leader-elect=false                                                             |
        |                                                                                                                                                                                                                           |                                        | no --leader-elect=true                                                           |
        | told that ClusterConfiguration has apiServer.extraArgs={"profiling":"false"}                                                                                                                                              | manifests/kube-apiserver.yaml          | --profiling=false                                                                |
        |                                                                                                                                                                                                                           | manifests/kube-scheduler.yaml          | no --profiling                                                                   |
        | told that ClusterConfiguration has controllerManager.extraArgs={"profiling":"false"}                                                                                                                                      | manifests/kube-controller-manager.yaml | --profiling=false                                                                |
        |                                                                                                                                                                                                                           | manifests/kube-scheduler.yaml          | no --profiling                                                                   |
        | told that ClusterConfiguration has scheduler.extraArgs={"profiling":"false"}                                                                                                                                              | manifests/kube-scheduler.yaml          | --profiling=false                                                                |
        |                                                                                                                                                                                                                           | manifests/kube-apiserver.yaml          | no --profiling                                                                   |
        | told that ClusterConfiguration has apiServer.extraVolumes=[{"name":"a","hostPath":"/srv/a","mountPath":"/a","readOnly":true,"pathType":"File"},{"name":"b","hostPath":"/srv/b","mountPath":"/b","pathType":"Directory"}]  | manifests/kube-apiserver.yaml          | mounts /srv/a (File) at /a, read-only                                            |
        |                                                                                                                                                                                                                           |                                        | mounts /srv/b (Directory) at /b                                                  |
        | told that ClusterConfiguration has apiServer.timeoutForControlPlane=1m                                                                                                                                                    | manifests/kube-apiserver.yaml          | fails 6 times at its start                                                       |
        | with an etcd elsewhere of 3.6.4                                                                                                                                                                                           | manifests/kube-apiserver.yaml          | --etcd-servers=http://127.0.0.1:23790                                            |
        |                                                                                                                                                                                                                           |                                        | no --etcd-cafile                                                                 |
        | told that ClusterConfiguration has etcd.external={"endpoints":["http://127.0.0.1:23790","http://192.0.2.31:2379"]}                                                                                                        | manifests/kube-apiserver.yaml          | --etcd-servers=http://127.0.0.1:23790,http://192.0.2.31:2379                     |
        | with an etcd elsewhere whose certificate is /x/c.crt and key is /x/c.key                                                                                                                                                  | manifests/kube-apiserver.yaml          | --etcd-cafile=/x/c.crt                                                           |
        |                                                                                                                                                                                                                           |                                        | --etcd-certfile=/x/c.crt                                                         |
        |                                                                                                                                                                                                                           |                                        | --etcd-keyfile=/x/c.key                                                          |
        |                                                                                                                                                                                                                           |                                        | mounts /x (DirectoryOrCreate) at /x, read-only                                   |
        | as it should be                                                                                                                                                                                                           | manifests/kube-apiserver.yaml          | mode 600                                                                         |

    Scenario: the control plane, and what is said twice
      Then the phase control-plane/all leaves on these machines:
        | told that ClusterConfiguration has apiServer.extraArgs={"authorization-mode":"Node"}                                                                         | manifests/kube-apiserver.yaml          | --authorization-mode=Node                           |
        |                                                                                                                                                              |                                        | no --authorization-mode=Node,RBAC                   |
        | told that ClusterConfiguration has apiServer.extraVolumes=[{"name":"k8s-certs","hostPath":"/srv/p","mountPath":"/p","readOnly":true,"pathType":"Directory"}] | manifests/kube-apiserver.yaml          | mounts /srv/p (Directory) at /p, read-only          |
        |                                                                                                                                                              |                                        | no mounts /etc/kubernetes/pki                       |
        | told that ClusterConfiguration has controllerManager.extraArgs={"bind-address":"0.0.0.0"}                                                                    | manifests/kube-controller-manager.yaml | no probe host                                       |
        | told that ClusterConfiguration has controllerManager.extraArgs={"bind-address":"192.0.2.10"}                                                                 | manifests/kube-controller-manager.yaml | probe host: 192.0.2.10                              |
        | told that ClusterConfiguration has apiServer.timeoutForControlPlane=1m30s                                                                                    | manifests/kube-apiserver.yaml          | fails 9 times at its start                          |
        | told that ClusterConfiguration has apiServer.timeoutForControlPlane=65s                                                                                      | manifests/kube-apiserver.yaml          | fails 7 times at its start                          |
        | told that ClusterConfiguration has apiServer.timeoutForControlPlane=1m                                                                                       | manifests/kube-scheduler.yaml          | fails 6 times at its start                          |
        | told that ClusterConfiguration has networking={"serviceSubnet":"10.100.0.0/16,fd01::/112","podSubnet":"10.250.0.0/16,fd02::/48"}                             | manifests/kube-controller-manager.yaml | --cluster-cidr=10.250.0.0/16,fd02::/48              |
        |                                                                                                                                                              |                                        | --service-cluster-ip-range=10.100.0.0/16,fd01::/112 |
        | as it should be                                                                                                                                              | manifests/kube-controller-manager.yaml | no --cluster-signing-duration                       |
        |                                                                                                                                                              |                                        | probe host: 127.0.0.1                               |
        |                                                                                                                                                              |                                        | mode 600                                            |
        | at an IPv6 address                                                                                                                                           | manifests/kube-apiserver.yaml          | --advertise-address=fd00::10                        |
        |                                                                                                                                                              |                                        | probe host: fd00::10                                |

    Scenario: the control plane, and who hears and sees it
      Then the phase control-plane/all leaves on these machines:
        | as it should be | manifests/kube-scheduler.yaml          | asks for cpu 100m                                                                |
        |                 |                                        | pulls IfNotPresent                                                               |
        |                 |                                        | --bind-address=127.0.0.1                                                         |
        |                 |                                        | lives on after 7 failures                                                        |
        |                 |                                        | priority class system-node-critical                                              |
        |                 |                                        | seccomp RuntimeDefault                                                           |
        |                 |                                        | on the network of its machine                                                    |
        |                 |                                        | mode 600                                                                         |
        |                 | manifests/kube-controller-manager.yaml | --bind-address=127.0.0.1                                                         |
        |                 |                                        | lives on after 7 failures                                                        |
        |                 |                                        | --use-service-account-credentials=true                                           |
        |                 |                                        | mode 600                                                                         |
        |                 | manifests/kube-apiserver.yaml          | lives on after 7 failures                                                        |
        |                 |                                        | asks for cpu 250m                                                                |
        |                 |                                        | asked every 10, 1, 10 s                                                          |
        |                 |                                        | mounts /etc/ssl/certs (DirectoryOrCreate) at /etc/ssl/certs, read-only           |
        |                 |                                        | mounts /etc/kubernetes/pki (DirectoryOrCreate) at /etc/kubernetes/pki, read-only |
        |                 |                                        | --enable-admission-plugins=NodeRestriction                                       |
        |                 |                                        | --authorization-mode=Node,RBAC                                                   |
        |                 |                                        | no --anonymous-auth                                                              |
        |                 |                                        | no --insecure-port                                                               |
        |                 |                                        | priority class system-node-critical                                              |
        |                 |                                        | not privileged                                                                   |

    Scenario: etcd at an IPv6 address
      Then the phase etcd/local leaves on these machines:
        | at an IPv6 address | manifests/etcd.yaml | --listen-peer-urls=https://[fd00::10]:2380     |
        |                    |                     | --listen-metrics-urls=http://[::1]:2381        |
        |                    |                     | --initial-cluster=cp-1=https://[fd00::10]:2380 |

    @since:1.31
    Scenario: the control plane, in v1beta4
      Then the phase control-plane/all leaves on these machines:
        | told in v1beta4, told that ClusterConfiguration has apiServer.extraArgs=[{"name":"profiling","value":"false"},{"name":"tls-sni-cert-key","value":"/a.crt,/a.key"},{"name":"tls-sni-cert-key","value":"/b.crt,/b.key"}]                     | manifests/kube-apiserver.yaml          | --profiling=false                |
        |                                                                                                                                                                                                                                            |                                        | --tls-sni-cert-key=/a.crt,/a.key |
        |                                                                                                                                                                                                                                            |                                        | --tls-sni-cert-key=/b.crt,/b.key |
        | told in v1beta4, told that ClusterConfiguration has {"apiServer":{"extraEnvs":[{"name":"BLUE","value":"1"}]},"controllerManager":{"extraEnvs":[{"name":"BLUE","value":"2"}]},"etcd":{"local":{"extraEnvs":[{"name":"BLUE","value":"3"}]}}} | manifests/kube-apiserver.yaml          | env BLUE=1                       |
        |                                                                                                                                                                                                                                            | manifests/kube-controller-manager.yaml | env BLUE=2                       |
        |                                                                                                                                                                                                                                            | manifests/kube-scheduler.yaml          | no env BLUE                      |
        | told in v1beta4, told that ClusterConfiguration has scheduler.extraEnvs=[{"name":"GOGC","value":"50"}]                                                                                                                                     | manifests/kube-scheduler.yaml          | env GOGC=50                      |
        | told in v1beta4, told that InitConfiguration has timeouts={"controlPlaneComponentHealthCheck":"1m"}                                                                                                                                        | manifests/kube-scheduler.yaml          | fails 6 times at its start       |

    Scenario: etcd
      Then the phase etcd/local leaves on these machines:
        | told that ClusterConfiguration has etcd.local.dataDir=/data/etcd                                            | manifests/etcd.yaml | --data-dir=/data/etcd                               |
        |                                                                                                             |                     | mounts /data/etcd (DirectoryOrCreate) at /data/etcd |
        | told that ClusterConfiguration has etcd.local={"imageRepository":"registry.example/e","imageTag":"3.5.0-9"} | manifests/etcd.yaml | image: registry.example/e/etcd:3.5.0-9              |
        | told that ClusterConfiguration has etcd.local.extraArgs={"snapshot-count":"7"}                              | manifests/etcd.yaml | --snapshot-count=7                                  |
        |                                                                                                             |                     | no --snapshot-count=1000                            |
        | told that ClusterConfiguration has etcd.local.extraArgs={"quota-backend-bytes":"8"}                         | manifests/etcd.yaml | --quota-backend-bytes=8                             |
        | told that InitConfiguration has localAPIEndpoint.advertiseAddress=192.0.2.11                                | manifests/etcd.yaml | --listen-peer-urls=https://192.0.2.11:2380          |
        |                                                                                                             |                     | --client-cert-auth=true                             |
        |                                                                                                             |                     | --peer-client-cert-auth=true                        |
        | with an etcd elsewhere of 3.6.4                                                                             | manifests/etcd.yaml | nothing                                             |

    Scenario: the kubelet
      Then the phase kubelet-start leaves on these machines:
        | told that ClusterConfiguration has networking={"dnsDomain":"corp.example","serviceSubnet":"10.100.0.0/16"}           | /var/lib/kubelet/config.yaml       | clusterDomain: corp.example              |
        |                                                                                                                      |                                    | 10.100.0.10                              |
        | told that ClusterConfiguration has certificatesDir=/etc/kubernetes/own                                               | /var/lib/kubelet/config.yaml       | clientCAFile: /etc/kubernetes/own/ca.crt |
        | told that InitConfiguration has nodeRegistration.kubeletExtraArgs={"v":"4"}                                          | /var/lib/kubelet/kubeadm-flags.env | --v=4                                    |
        | told that InitConfiguration has nodeRegistration.name=cp-9                                                           | /var/lib/kubelet/kubeadm-flags.env | --hostname-override=cp-9                 |
        | told that InitConfiguration has nodeRegistration.taints=[{"key":"example.com/kept","effect":"NoSchedule"}]           | /var/lib/kubelet/kubeadm-flags.env | no --register-with-taints                |
        | told besides {"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","maxPods":50}               | /var/lib/kubelet/config.yaml       | maxPods: 50                              |
        | told besides {"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","rotateCertificates":false} | /var/lib/kubelet/config.yaml       | rotateCertificates: true                 |

    Scenario: the kubelet, in the words of its administrator
      Then the phase kubelet-start leaves on these machines:
        | told besides {"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","clusterDomain":"own.example","cgroupDriver":"cgroupfs","clusterDNS":["10.9.9.9"],"authentication":{"anonymous":{"enabled":true}}} | /var/lib/kubelet/config.yaml | clusterDomain: own.example               |
        |                                                                                                                                                                                                                             |                              | cgroupDriver: cgroupfs                   |
        |                                                                                                                                                                                                                             |                              | 10.9.9.9                                 |
        |                                                                                                                                                                                                                             |                              | no 10.96.0.10                            |
        |                                                                                                                                                                                                                             |                              | clientCAFile: /etc/kubernetes/pki/ca.crt |
        | as it should be                                                                                                                                                                                                             | /var/lib/kubelet/config.yaml | clusterDomain: cluster.local             |
        |                                                                                                                                                                                                                             |                              | cgroupDriver: systemd                    |
        |                                                                                                                                                                                                                             |                              | 10.96.0.10                               |
        |                                                                                                                                                                                                                             |                              | rotateCertificates: true                 |
        |                                                                                                                                                                                                                             |                              | staticPodPath: /etc/kubernetes/manifests |

    @since:1.34
    Scenario: the socket of the container runtime
      Then the phase kubelet-start leaves on these machines:
        | told that InitConfiguration has nodeRegistration.criSocket=unix:///run/x.sock | /var/lib/kubelet/instance-config.yaml | containerRuntimeEndpoint: unix:///run/x.sock |
        |                                                                               | /var/lib/kubelet/config.yaml          | containerRuntimeEndpoint: unix:///run/x.sock |
        |                                                                               | /var/lib/kubelet/kubeadm-flags.env    | no --container-runtime-endpoint              |

    @since:1.24 @until:1.33
    Scenario: the socket of the container runtime, as a flag
      Then the phase kubelet-start leaves on these machines:
        | told that InitConfiguration has nodeRegistration.criSocket=unix:///run/x.sock | /var/lib/kubelet/kubeadm-flags.env | --container-runtime-endpoint=unix:///run/x.sock |

    Scenario: all that the API server is told
      Then the phase control-plane/apiserver leaves on these machines:
        | as it should be | manifests/kube-apiserver.yaml | Pod kube-system/kube-apiserver                                                             |
        |                 |                               | label component=kube-apiserver                                                             |
        |                 |                               | label tier=control-plane                                                                   |
        |                 |                               | annotation kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint=192.0.2.10:6443 |
        |                 |                               | alive at /livez                                                                            |
        |                 |                               | ready at /readyz                                                                           |
        |                 |                               | started at /livez                                                                          |
        |                 |                               | --advertise-address=192.0.2.10                                                             |
        |                 |                               | --allow-privileged=true                                                                    |
        |                 |                               | --client-ca-file=/etc/kubernetes/pki/ca.crt                                                |
        |                 |                               | --enable-bootstrap-token-auth=true                                                         |
        |                 |                               | --etcd-cafile=/etc/kubernetes/pki/etcd/ca.crt                                              |
        |                 |                               | --etcd-certfile=/etc/kubernetes/pki/apiserver-etcd-client.crt                              |
        |                 |                               | --etcd-keyfile=/etc/kubernetes/pki/apiserver-etcd-client.key                               |
        |                 |                               | --etcd-servers=https://127.0.0.1:2379                                                      |
        |                 |                               | --kubelet-client-certificate=/etc/kubernetes/pki/apiserver-kubelet-client.crt              |
        |                 |                               | --kubelet-client-key=/etc/kubernetes/pki/apiserver-kubelet-client.key                      |
        |                 |                               | --kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname                           |
        |                 |                               | --proxy-client-cert-file=/etc/kubernetes/pki/front-proxy-client.crt                        |
        |                 |                               | --proxy-client-key-file=/etc/kubernetes/pki/front-proxy-client.key                         |
        |                 |                               | --requestheader-allowed-names=front-proxy-client                                           |
        |                 |                               | --requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt                      |
        |                 |                               | --requestheader-extra-headers-prefix=X-Remote-Extra-                                       |
        |                 |                               | --requestheader-group-headers=X-Remote-Group                                               |
        |                 |                               | --requestheader-username-headers=X-Remote-User                                             |
        |                 |                               | --secure-port=6443                                                                         |
        |                 |                               | --service-account-issuer=https://kubernetes.default.svc.cluster.local                      |
        |                 |                               | --service-account-key-file=/etc/kubernetes/pki/sa.pub                                      |
        |                 |                               | --service-account-signing-key-file=/etc/kubernetes/pki/sa.key                              |
        |                 |                               | --service-cluster-ip-range=10.96.0.0/12                                                    |
        |                 |                               | --tls-cert-file=/etc/kubernetes/pki/apiserver.crt                                          |
        |                 |                               | --tls-private-key-file=/etc/kubernetes/pki/apiserver.key                                   |
        |                 |                               | no --token-auth-file                                                                       |
        |                 |                               | no --kubelet-certificate-authority                                                         |

    Scenario: all that the controllers are told
      Then the phase control-plane/controller-manager leaves on these machines:
        | as it should be | manifests/kube-controller-manager.yaml | Pod kube-system/kube-controller-manager                               |
        |                 |                                        | label component=kube-controller-manager                               |
        |                 |                                        | alive at /healthz                                                     |
        |                 |                                        | started at /healthz                                                   |
        |                 |                                        | --allocate-node-cidrs=true                                            |
        |                 |                                        | --authentication-kubeconfig=/etc/kubernetes/controller-manager.conf   |
        |                 |                                        | --authorization-kubeconfig=/etc/kubernetes/controller-manager.conf    |
        |                 |                                        | --client-ca-file=/etc/kubernetes/pki/ca.crt                           |
        |                 |                                        | --cluster-cidr=10.244.0.0/16                                          |
        |                 |                                        | --cluster-name=kubernetes                                             |
        |                 |                                        | --cluster-signing-cert-file=/etc/kubernetes/pki/ca.crt                |
        |                 |                                        | --cluster-signing-key-file=/etc/kubernetes/pki/ca.key                 |
        |                 |                                        | --controllers=*,bootstrapsigner,tokencleaner                          |
        |                 |                                        | --kubeconfig=/etc/kubernetes/controller-manager.conf                  |
        |                 |                                        | --leader-elect=true                                                   |
        |                 |                                        | --requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt |
        |                 |                                        | --root-ca-file=/etc/kubernetes/pki/ca.crt                             |
        |                 |                                        | --service-account-private-key-file=/etc/kubernetes/pki/sa.key         |
        |                 |                                        | --service-cluster-ip-range=10.96.0.0/12                               |

    Scenario: all that the scheduler is told
      Then the phase control-plane/scheduler leaves on these machines:
        | as it should be | manifests/kube-scheduler.yaml | Pod kube-system/kube-scheduler                                                                    |
        |                 |                               | label component=kube-scheduler                                                                    |
        |                 |                               | --authentication-kubeconfig=/etc/kubernetes/scheduler.conf                                        |
        |                 |                               | --authorization-kubeconfig=/etc/kubernetes/scheduler.conf                                         |
        |                 |                               | --kubeconfig=/etc/kubernetes/scheduler.conf                                                       |
        |                 |                               | --leader-elect=true                                                                               |
        |                 |                               | mounts /etc/kubernetes/scheduler.conf (FileOrCreate) at /etc/kubernetes/scheduler.conf, read-only |

    @since:1.32
    Scenario: all that the scheduler is told, and where it is asked
      Then the phase control-plane/scheduler leaves on these machines:
        | as it should be | manifests/kube-scheduler.yaml | alive at /livez   |
        |                 |                               | ready at /readyz  |
        |                 |                               | started at /livez |

    Scenario: all that etcd is told
      Then the phase etcd/local leaves on these machines:
        | as it should be | manifests/etcd.yaml | Pod kube-system/etcd                                                                |
        |                 |                     | label component=etcd                                                                |
        |                 |                     | annotation kubeadm.kubernetes.io/etcd.advertise-client-urls=https://192.0.2.10:2379 |
        |                 |                     | --advertise-client-urls=https://192.0.2.10:2379                                     |
        |                 |                     | --cert-file=/etc/kubernetes/pki/etcd/server.crt                                     |
        |                 |                     | --data-dir=/var/lib/etcd                                                            |
        |                 |                     | --initial-advertise-peer-urls=https://192.0.2.10:2380                               |
        |                 |                     | --initial-cluster=cp-1=https://192.0.2.10:2380                                      |
        |                 |                     | --key-file=/etc/kubernetes/pki/etcd/server.key                                      |
        |                 |                     | --listen-client-urls=https://127.0.0.1:2379,https://192.0.2.10:2379                 |
        |                 |                     | --listen-metrics-urls=http://127.0.0.1:2381                                         |
        |                 |                     | --listen-peer-urls=https://192.0.2.10:2380                                          |
        |                 |                     | --name=cp-1                                                                         |
        |                 |                     | --peer-cert-file=/etc/kubernetes/pki/etcd/peer.crt                                  |
        |                 |                     | --peer-client-cert-auth=true                                                        |
        |                 |                     | --peer-key-file=/etc/kubernetes/pki/etcd/peer.key                                   |
        |                 |                     | --peer-trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt                              |
        |                 |                     | --snapshot-count=10000                                                              |
        |                 |                     | --trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt                                   |
        |                 |                     | mounts /etc/kubernetes/pki/etcd (DirectoryOrCreate) at /etc/kubernetes/pki/etcd     |
        |                 |                     | mounts /var/lib/etcd (DirectoryOrCreate) at /var/lib/etcd                           |
        |                 |                     | no --initial-cluster-state                                                          |
        |                 |                     | no --auto-tls                                                                       |
        |                 |                     | no --peer-auto-tls                                                                  |

    @since:1.34
    Scenario: all that etcd is told, since 3.6
      Then the phase etcd/local leaves on these machines:
        | as it should be | manifests/etcd.yaml | --feature-gates=InitialCorruptCheck=true |
        |                 |                     | --watch-progress-notify-interval=5s      |
        |                 |                     | no --experimental                        |
        |                 |                     | alive at /livez                          |
        |                 |                     | ready at /readyz                         |

    Scenario: the folder of certificates, of etcd
      Then the phase etcd/local leaves on these machines:
        | told that ClusterConfiguration has certificatesDir=/etc/kubernetes/own | manifests/etcd.yaml | --trusted-ca-file=/etc/kubernetes/own/etcd/ca.crt                               |
        |                                                                        |                     | --peer-trusted-ca-file=/etc/kubernetes/own/etcd/ca.crt                          |
        |                                                                        |                     | --cert-file=/etc/kubernetes/own/etcd/server.crt                                 |
        |                                                                        |                     | --peer-key-file=/etc/kubernetes/own/etcd/peer.key                               |
        |                                                                        |                     | mounts /etc/kubernetes/own/etcd (DirectoryOrCreate) at /etc/kubernetes/own/etcd |

    Scenario: the folder of certificates, of controllers
      Then the phase control-plane/all leaves on these machines:
        | told that ClusterConfiguration has certificatesDir=/etc/kubernetes/own | manifests/kube-controller-manager.yaml | --root-ca-file=/etc/kubernetes/own/ca.crt                             |
        |                                                                        |                                        | --cluster-signing-key-file=/etc/kubernetes/own/ca.key                 |
        |                                                                        |                                        | --service-account-private-key-file=/etc/kubernetes/own/sa.key         |
        |                                                                        | manifests/kube-apiserver.yaml          | --tls-private-key-file=/etc/kubernetes/own/apiserver.key              |
        |                                                                        |                                        | --service-account-signing-key-file=/etc/kubernetes/own/sa.key         |
        |                                                                        |                                        | --etcd-cafile=/etc/kubernetes/own/etcd/ca.crt                         |
        |                                                                        |                                        | --requestheader-client-ca-file=/etc/kubernetes/own/front-proxy-ca.crt |

    Scenario: where other components look for the API server and for etcd
      Then the phase control-plane/apiserver leaves on these machines:
        | told that InitConfiguration has localAPIEndpoint={"advertiseAddress":"192.0.2.11","bindPort":7443}                               | manifests/kube-apiserver.yaml | annotation kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint=192.0.2.11:7443 |
        | at an IPv6 address                                                                                                               | manifests/kube-apiserver.yaml | annotation kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint=[fd00::10]:6443 |
        |                                                                                                                                  |                               | --etcd-servers=https://[::1]:2379                                                          |
        |                                                                                                                                  |                               | --service-cluster-ip-range=fd01::/108                                                      |
        | told that ClusterConfiguration has networking={"serviceSubnet":"10.100.0.0/16,fd01::/112","podSubnet":"10.250.0.0/16,fd02::/48"} | manifests/kube-apiserver.yaml | --service-cluster-ip-range=10.100.0.0/16,fd01::/112                                        |

    @since:1.31
    Scenario: authorizers of a file
      Then the phase control-plane/apiserver leaves on these machines:
        | told that ClusterConfiguration has apiServer.extraArgs={"authorization-config":"/a.yaml"} | manifests/kube-apiserver.yaml | --authorization-config=/a.yaml |
        |                                                                                           |                               | no --authorization-mode        |

  @P-428 @MUST
  Rule: A phase that is run by itself writes its own files, and ends where what it needs is missing

    Why: who renews one file of a cluster that works does not expect others to change.
    Repair, for makers: let each phase make what it is called after, from what earlier phases have left.

    Scenario: its own files
      Then these phases of init write these files, and no others:
        | as it should be                                          | certs/ca                       | pki/ca.crt pki/ca.key                                             |
        | as it should be                                          | certs/front-proxy-ca           | pki/front-proxy-ca.crt pki/front-proxy-ca.key                     |
        | as it should be                                          | certs/etcd-ca                  | pki/etcd/ca.crt pki/etcd/ca.key                                   |
        | as it should be                                          | certs/sa                       | pki/sa.key pki/sa.pub                                             |
        | where an init has left pki/ca.                           | certs/apiserver                | pki/apiserver.crt pki/apiserver.key                               |
        | where an init has left pki/ca.                           | certs/apiserver-kubelet-client | pki/apiserver-kubelet-client.crt pki/apiserver-kubelet-client.key |
        | where an init has left pki/front-proxy-ca.               | certs/front-proxy-client       | pki/front-proxy-client.crt pki/front-proxy-client.key             |
        | where an init has left pki/etcd/ca.                      | certs/etcd-server              | pki/etcd/server.crt pki/etcd/server.key                           |
        | where an init has left pki/etcd/ca.                      | certs/etcd-healthcheck-client  | pki/etcd/healthcheck-client.crt pki/etcd/healthcheck-client.key   |
        | where an init has left pki/etcd/ca.                      | certs/apiserver-etcd-client    | pki/apiserver-etcd-client.crt pki/apiserver-etcd-client.key       |
        | where an init has left pki/ca.                           | kubeconfig/admin               | admin.conf                                                        |
        | where an init has left all, whose scheduler.conf is gone | kubeconfig/scheduler           | scheduler.conf                                                    |
        | as it should be                                          | etcd/local                     | manifests/etcd.yaml                                               |
        | as it should be                                          | control-plane/apiserver        | manifests/kube-apiserver.yaml                                     |
        | as it should be                                          | control-plane/scheduler        | manifests/kube-scheduler.yaml                                     |

    Scenario: what it needs is missing
      Then the phase certs/apiserver ends on these machines, and keeps what is there:
        | as it should be                                          | couldn't load CA certificate ca |
        | where an init has left pki/ca., whose pki/ca.crt is gone | couldn't load CA certificate ca |

    Scenario: what it needs is missing, of certs front-proxy-client
      Then the phase certs/front-proxy-client ends on these machines, and keeps what is there:
        | where an init has left pki/ca. | couldn't load CA certificate front-proxy-ca |

    Scenario: what it needs is missing, of certs etcd-server
      Then the phase certs/etcd-server ends on these machines, and keeps what is there:
        | where an init has left pki/ca. | couldn't load CA certificate etcd |

    Scenario: what it needs is missing, of kubeconfig admin
      Then the phase kubeconfig/admin ends on these machines, and keeps what is there:
        | as it should be                                                       | ca.crt: no such file or directory                    |
        | where an init has left pki/ca., whose pki/ca.key is another cluster's | provided PrivateKey doesn't match parent's PublicKey |

    Scenario: a machine that has been set up
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left all, with /etc/kubernetes/manifests/kube-apiserver.yaml, with /var/lib/etcd/member | preflight |

  @P-467 @MUST
  Rule: Patches that init is told reach what it writes

    Why: whoever has told more than the configuration knows relies on it: limits, addresses, what Pods may do.
    Repair, for makers: apply the files of patches.directory to each manifest and to the kubelet's configuration.

    Scenario: the control plane
      Then the phase control-plane/all leaves on these machines:
        | with the patch kube-scheduler0+merge.json {"spec":{"priorityClassName":"blue-critical"}}                                               | manifests/kube-scheduler.yaml          | priority class blue-critical |
        |                                                                                                                                        | manifests/kube-apiserver.yaml          | no priority class blue       |
        | with the patch kube-apiserver1+strategic.json {"spec":{"containers":[{"name":"kube-apiserver","env":[{"name":"GOGC","value":"50"}]}]}} | manifests/kube-apiserver.yaml          | env GOGC=50                  |
        |                                                                                                                                        |                                        | --secure-port=6443           |
        | with the patch kube-controller-manager+json.json [{"op":"replace","path":"/spec/priorityClassName","value":"blue-critical"}]           | manifests/kube-controller-manager.yaml | priority class blue-critical |

    Scenario: etcd
      Then the phase etcd/local leaves on these machines:
        | with the patch etcd.json {"spec":{"priorityClassName":"blue-critical"}} | manifests/etcd.yaml | priority class blue-critical |

    Scenario: the kubelet
      Then the phase kubelet-start leaves on these machines:
        | with the patch kubeletconfiguration0+merge.json {"maxPods":42} | /var/lib/kubelet/config.yaml | maxPods: 42                  |
        |                                                                |                              | clusterDomain: cluster.local |

  @P-468 @MUST
  Rule: Phases that init is told to pass over are passed over

    Why: what is passed over is somebody else's to make; what is made all the same lies beside it, or in its place.
    Repair, for makers: leave out each phase of skipPhases, and of a kind all of its phases.

    Scenario: one phase, and all of a kind
      Then a whole init leaves on these machines:
        | told that InitConfiguration has skipPhases=["etcd","certs/sa"] | manifests/etcd.yaml           | nothing  |
        |                                                                | pki/sa.key                    | nothing  |
        |                                                                | pki/etcd/ca.crt               | mode 644 |
        |                                                                | manifests/kube-apiserver.yaml | mode 600 |

  @P-530 @MUST
  Rule: The kubeconfig of a kubelet that renews its pair points to that pair

    Why: the pair that init made ends after a year, whatever the kubelet has renewed since.
    Repair, for makers: once the kubelet has a pair of its own, let kubelet.conf name its file, where the kubelet is told to
    keep it, and hold no key.

    @since:1.31
    Scenario: a pair of its own
      Then the phase kubelet-finalize/enable-client-cert-rotation leaves on these machines:
        | where an init has left kubelet.+pki/ca., with /var/lib/kubelet/pki/kubelet-client-current.pem                                                                                | kubelet.conf | client-certificate in /var/lib/kubelet/pki/kubelet-client-current.pem |
        |                                                                                                                                                                              |              | client-key in /var/lib/kubelet/pki/kubelet-client-current.pem         |
        |                                                                                                                                                                              |              | no a key within                                                       |
        |                                                                                                                                                                              |              | no CN=                                                                |
        |                                                                                                                                                                              |              | asks https://192.0.2.10:6443                                          |
        |                                                                                                                                                                              |              | believes pki/ca.crt                                                   |
        |                                                                                                                                                                              |              | context system:node:cp-1@kubernetes                                   |
        | where an init has left kubelet., told that InitConfiguration has nodeRegistration.kubeletExtraArgs={"cert-dir":"/srv/kubelet"}, with /srv/kubelet/kubelet-client-current.pem | kubelet.conf | client-certificate in /srv/kubelet/kubelet-client-current.pem         |
        |                                                                                                                                                                              |              | client-key in /srv/kubelet/kubelet-client-current.pem                 |

    @since:1.31
    Scenario: none of its own
      Then the phase kubelet-finalize/enable-client-cert-rotation keeps what is there on these machines:
        | where an init has left kubelet.                                                                                                                                                      |
        | where an init has left kubelet., told that InitConfiguration has nodeRegistration.kubeletExtraArgs={"cert-dir":"/srv/kubelet"}, with /var/lib/kubelet/pki/kubelet-client-current.pem |

    @since:1.31
    Scenario: no kubeconfig that could point to it
      Then the phase kubelet-finalize/enable-client-cert-rotation ends on these machines, and keeps what is there:
        | with /var/lib/kubelet/pki/kubelet-client-current.pem                                                                     | could not load            |
        | where an init has left kubelet., whose kubelet.conf has no context, with /var/lib/kubelet/pki/kubelet-client-current.pem | not found in context list |
