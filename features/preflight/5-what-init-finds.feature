Feature: What init finds on the disk

  Certificates, keys and kubeconfigs that are there are used: an administrator has brought them, or an earlier init has
  made them. What does not belong together ends init, and is never made anew.

  @P-418 @MUST
  Rule: An authority that is there is used as it is, or init ends

    Why: an authority that is made anew locks out whoever believes the old one; half of one signs nothing.
    Repair, for makers: load what is there; end where a half is missing, where it cannot be read, where the key is
    another's, and where the certificate is none of an authority.

    Scenario: a whole one
      Then a whole init keeps what is there on these machines:
        | where an init has left all                                |
        | where an init has left all, whose pki/etcd/ca.key is gone |

    Scenario: a whole one, of certs ca
      Then the phase certs/ca keeps what is there on these machines:
        | where an init has left pki/ca.                               |
        | where an init has left pki/ca., whose pki/ca.crt has expired |

    Scenario: a whole one, of certs front-proxy-ca
      Then the phase certs/front-proxy-ca keeps what is there on these machines:
        | where an init has left pki/front-proxy-ca. |

    Scenario: a whole one, of certs etcd-ca
      Then the phase certs/etcd-ca keeps what is there on these machines:
        | where an init has left pki/etcd/ca. |

    Scenario: a whole one before another
      Then the phase certs/apiserver leaves on these machines:
        | where an init has left pki/ca., whose pki/ca.crt has another behind it | pki/apiserver.crt | signed by pki/ca.crt |

    Scenario: a whole one before another, of a kubeconfig
      Then the phase kubeconfig/admin leaves on these machines:
        | where an init has left pki/ca., whose pki/ca.crt has another behind it | admin.conf | believes pki/ca.crt |

    Scenario: a whole one, with what is made
      Then what a whole init makes on these machines belongs together:
        | where an init has left pki/ca.+pki/etcd/ca. |

    Scenario: one of which something is wrong
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left pki/ca., whose pki/ca.crt is gone                                      | failure loading ca certificate                       |
        | where an init has left pki/ca., whose pki/ca.crt is garbage                                   | failure loading ca certificate                       |
        | where an init has left pki/ca., whose pki/ca.crt is garbage, whose pki/ca.key is gone         | failure loading ca certificate                       |
        | where an init has left pki/ca., whose pki/ca.key is garbage                                   | couldn't load CA certificate ca                      |
        | where an init has left pki/ca., whose pki/ca.key is another cluster's                         | provided PrivateKey doesn't match parent's PublicKey |
        | where an init has left pki/ca., whose pki/ca.crt is another cluster's                         | provided PrivateKey doesn't match parent's PublicKey |
        | where an init has left pki/ca., whose pki/ca.crt is no authority                              | is not a certificate authority                       |
        | where an init has left pki/front-proxy-ca., whose pki/front-proxy-ca.crt is gone              | failure loading front-proxy-ca certificate           |
        | where an init has left pki/front-proxy-ca., whose pki/front-proxy-ca.key is another cluster's | provided PrivateKey doesn't match parent's PublicKey |
        | where an init has left pki/etcd/ca., whose pki/etcd/ca.crt is gone                            | failure loading etcd/ca certificate                  |
        | where an init has left pki/etcd/ca., whose pki/etcd/ca.key is gone                            | couldn't load CA certificate etcd                    |

  @P-419 @MUST
  Rule: A certificate that is there was signed by its authority, and is valid, or init ends

    Why: a component with another certificate is believed by nobody.
    Repair, for makers: verify each certificate that is there by the authority beside it, and end where that fails.

    Scenario: certificates of its authorities
      Then a whole init keeps what is there on these machines:
        | where an init has left all, whose pki/apiserver.key is another cluster's      |
        | where an init has left all, whose pki/apiserver.key is gone                   |
        | where an init has left all, whose pki/apiserver.crt is signed through another |

    Scenario: certificates of somebody else, and those that are not valid
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left all, whose pki/apiserver.crt is another cluster's                | apiserver not signed by CA certificate ca                      |
        | where an init has left all, whose pki/apiserver-kubelet-client.crt is another cluster's | apiserver-kubelet-client not signed by CA certificate ca       |
        | where an init has left all, whose pki/front-proxy-client.crt is another cluster's       | front-proxy-client not signed by CA certificate front-proxy-ca |
        | where an init has left all, whose pki/etcd/server.crt is another cluster's              | etcd/server not signed by CA certificate etcd/ca               |
        | where an init has left all, whose pki/apiserver-etcd-client.crt is another cluster's    | apiserver-etcd-client not signed by CA certificate etcd/ca     |
        | where an init has left all, whose pki/ca.crt is another cluster's                       | not signed by CA certificate ca                                |
        | where an init has left all, whose pki/apiserver.crt has expired                         | certificate has expired or is not yet valid                    |
        | where an init has left all, whose pki/apiserver.crt is not valid yet                    | certificate has expired or is not yet valid                    |
        | where an init has left all, whose pki/etcd/peer.crt has expired                         | certificate has expired or is not yet valid                    |
        | where an init has left all, whose pki/ca.crt has expired                                | certificate has expired or is not yet valid                    |

    Scenario: half of a pair
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left all, whose pki/apiserver.crt is gone                                                 | failure loading apiserver certificate |
        | where an init has left all, whose pki/apiserver.crt is garbage                                              | failure loading apiserver certificate |
        | where an init has left all, whose pki/etcd/peer.crt is gone                                                 | failure loading etcd/peer certificate |
        | where an init has left pki/ca.+pki/apiserver., whose pki/ca.key is garbage, whose pki/apiserver.crt is gone | couldn't load CA certificate ca       |

  @P-420 @MUST
  Rule: A kubeconfig that is there is of this cluster, or init ends

    Why: a component with a kubeconfig of another cluster works for that one; a kubeconfig that is written anew locks out
    its owner.
    Repair, for makers: compare the authority in it with the one on the disk; warn where it asks another server.

    Scenario: of this cluster
      Then a whole init keeps what is there on these machines:
        | where an init has left all, whose admin.conf has its authority in a file |
        | where an init has left all                                               |

    Scenario: of this cluster, of others
      Then a whole init does not warn of these machines:
        | where an init has left all | unexpected API Server URL |

    Scenario: of another cluster, and none at all
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left all, whose admin.conf is another cluster's                                         | admin.conf" exists but does not contain a trusted CA              |
        | where an init has left all, whose kubelet.conf is another cluster's                                       | kubelet.conf" exists but does not contain a trusted CA            |
        | where an init has left all, whose controller-manager.conf is another cluster's                            | controller-manager.conf" exists but does not contain a trusted CA |
        | where an init has left all, whose scheduler.conf is another cluster's                                     | scheduler.conf" exists but does not contain a trusted CA          |
        | where an init has left all, whose pki/ca.crt has another behind it, whose admin.conf is another cluster's | admin.conf" exists but does not contain a trusted CA              |
        | where an init has left admin.conf                                                                         | admin.conf" exists but does not contain a trusted CA              |
        | where an init has left all, whose admin.conf has no context                                               | failed to find CurrentContext                                     |
        | where an init has left all, whose admin.conf has no cluster                                               | failed to find the given CurrentContext Cluster                   |
        | where an init has left all, whose admin.conf has no authority                                             | contains an invalid CA cert                                       |

    Scenario: of another server
      Then a whole init warns of these machines:
        | where an init has left all, whose admin.conf asks another server                               | expected: https://192.0.2.10:6443, got: https://192.0.2.77:6443              |
        | where an init has left all, whose controller-manager.conf asks another server                  | controller-manager.conf" exists already but has an unexpected API Server URL |
        | where an init has left all, told that ClusterConfiguration has controlPlaneEndpoint=lb.example | expected: https://lb.example:6443, got: https://192.0.2.10:6443              |

    Scenario: of another server, and kept
      Then a whole init keeps what is there on these machines:
        | where an init has left all, whose admin.conf asks another server |

  @P-421 @MUST
  Rule: Where the key of an authority is elsewhere, all that it would sign is there, or init ends

    Why: an init that finds out later has half a control plane, and nobody who could sign the other half.
    Repair, for makers: look for the certificates of the authority and for all kubeconfigs before the first phase; sign
    nothing, and give the controller manager nothing to sign with.

    Scenario: all of it
      Then a whole init keeps what is there on these machines:
        | where an init has left all, whose pki/ca.key is gone                                                     |
        | where an init has left all, whose pki/front-proxy-ca.key is gone                                         |
        | where an init has left all, whose pki/ca.key is gone, whose pki/sa.key is gone, whose pki/sa.pub is gone |

    Scenario: all of it, as it is told on
      Then a whole init leaves on these machines:
        | where an init has left all, whose pki/ca.key is gone | pki/ca.key                             | nothing                                                |
        |                                                      | manifests/kube-controller-manager.yaml | --cluster-signing-cert-file=                           |
        |                                                      |                                        | --cluster-signing-key-file=                            |
        | where an init has left all                           | manifests/kube-controller-manager.yaml | --cluster-signing-cert-file=/etc/kubernetes/pki/ca.crt |
        |                                                      |                                        | --cluster-signing-key-file=/etc/kubernetes/pki/ca.key  |

    Scenario: something is missing
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left pki/ca., whose pki/ca.key is gone                                                                | invalid or incomplete external CA                           |
        | where an init has left all, whose pki/ca.key is gone, whose pki/apiserver.key is gone                                   | invalid or incomplete external CA                           |
        | where an init has left all, whose pki/ca.key is gone, whose pki/apiserver.crt is gone                                   | invalid or incomplete external CA                           |
        | where an init has left all, whose pki/ca.key is gone, whose pki/apiserver.crt is another cluster's                      | API server is not signed by corresponding CA                |
        | where an init has left all, whose pki/ca.key is gone, whose pki/apiserver.crt has expired                               | API server is not signed by corresponding CA                |
        | where an init has left all, whose pki/ca.key is gone, whose pki/apiserver-kubelet-client.key is gone                    | invalid or incomplete external CA                           |
        | where an init has left all, whose pki/ca.key is gone, whose pki/apiserver-kubelet-client.crt is another cluster's       | API server kubelet client is not signed by corresponding CA |
        | where an init has left all, whose pki/ca.key is gone, whose controller-manager.conf is gone                             | the controller-manager.conf file does not exists            |
        | where an init has left all, whose pki/ca.key is gone, whose scheduler.conf is gone                                      | the scheduler.conf file does not exists                     |
        | where an init has left all, whose pki/ca.key is gone, whose scheduler.conf is another cluster's                         | does not contain a trusted CA                               |
        | where an init has left all, whose pki/front-proxy-ca.key is gone, whose pki/front-proxy-client.key is gone              | invalid or incomplete external front-proxy CA               |
        | where an init has left all, whose pki/front-proxy-ca.key is gone, whose pki/front-proxy-client.crt is another cluster's | front-proxy client is not signed by corresponding CA        |

    @since:1.29
    Scenario: something is missing, of administrators and the kubelet
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left all, whose pki/ca.key is gone, whose admin.conf is gone       | the admin.conf file does not exists       |
        | where an init has left all, whose pki/ca.key is gone, whose super-admin.conf is gone | the super-admin.conf file does not exists |
        | where an init has left all, whose pki/ca.key is gone, whose kubelet.conf is gone     | the kubelet.conf file does not exists     |

    Scenario: nothing is handed on without it
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left all, whose pki/ca.key is gone, with the flag --upload-certs | can't use upload-certs with an external CA |

  @P-422 @MUST
  Rule: An authority that is not valid now is told of, and so is a certificate

    Why: nothing that it has signed is believed, and nobody sees why.
    Repair, for makers: warn of each that is there, with its dates; do not warn of others.

    Scenario: authorities
      Then the phase certs/ca warns of these machines:
        | where an init has left pki/ca., whose pki/ca.crt has expired      | for certificate ca: the certificate has expired: NotBefore:      |
        | where an init has left pki/ca., whose pki/ca.crt is not valid yet | for certificate ca: the certificate is not valid yet: NotBefore: |

    Scenario: authorities, of certs front-proxy-ca
      Then the phase certs/front-proxy-ca warns of these machines:
        | where an init has left pki/front-proxy-ca., whose pki/front-proxy-ca.crt has expired | for certificate front-proxy-ca: the certificate has expired |

    Scenario: authorities, of certs etcd-ca
      Then the phase certs/etcd-ca warns of these machines:
        | where an init has left pki/etcd/ca., whose pki/etcd/ca.crt has expired | for certificate etcd/ca: the certificate has expired |

    Scenario: authorities, of certs apiserver
      Then the phase certs/apiserver warns of these machines:
        | where an init has left pki/ca., whose pki/ca.crt has expired | for certificate ca: the certificate has expired: NotBefore: |

    Scenario: authorities, of kubeconfig scheduler
      Then the phase kubeconfig/scheduler warns of these machines:
        | where an init has left pki/ca., whose pki/ca.crt has expired | for certificate ca: the certificate has expired: NotBefore: |

    Scenario: authorities, of others
      Then a whole init does not warn of these machines:
        | where an init has left all | could not validate bounds |

  @P-423 @MUST
  Rule: The key of service accounts that is there stays, or init ends

    Why: with another key every token that was given before is refused.
    Repair, for makers: load the private key that is there; make both halves only where there is none.

    Scenario: a key
      Then the phase certs/sa keeps what is there on these machines:
        | where an init has left pki/sa.                                        |
        | where an init has left pki/sa., whose pki/sa.pub is gone              |
        | where an init has left pki/sa., whose pki/sa.pub is another cluster's |

    Scenario: none that can be read
      Then a whole init ends on these machines, and keeps what is there:
        | where an init has left pki/sa., whose pki/sa.key is garbage | file sa.key existed but it could not be loaded properly |

    Scenario: half of one
      Then the phase certs/sa leaves on these machines:
        | where an init has left pki/sa., whose pki/sa.key is gone | pki/sa.key | belongs to pki/sa.pub |
        | as it should be                                          | pki/sa.key | belongs to pki/sa.pub |
        |                                                          |            | mode 600              |
        |                                                          | pki/sa.pub | mode 600              |

  @P-426 @MUST
  Rule: A dry run leaves nothing behind

    Why: who tries it on a machine that works wants it to work afterwards.
    Repair, for makers: write below a folder of its own.

    Scenario: flags
      Then a dry run leaves nothing on these machines:
        | as it should be                |
        | where an init has left pki/ca. |

    @since:1.31
    Scenario: a configuration
      Then a whole init leaves nothing on these machines:
        | told in v1beta4, told that InitConfiguration has dryRun=true |
