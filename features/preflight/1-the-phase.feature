Feature: Looking at a machine before it is changed

  kubeadm looks at the machine first. An error stops it there, a warning is told and nothing more, and who knows better
  may say so.

  @PREF-001 @MUST
  Rule: Init looks at the machine before it writes anything

    Why: half a control plane is harder to repair than none.
    Repair, for makers: run all checks, and end where one fails, before the first file is written.

    Scenario: a check that fails
      Then a whole init goes on to write on these machines:
        | as it should be |
      And a whole init writes nothing on these machines:
        | without mount                                                         |
        | with port 6443 in use                                                 |
        | with /etc/kubernetes/manifests/x.yaml, where net.ipv4.ip_forward is 0 |

  @PREF-002 @MUST
  Rule: An error stops kubeadm, and a warning does not

    Why: who is stopped by what is merely unusual learns to ignore everything.
    Repair, for makers: tell warnings and go on; end with an error where a check has failed.

    Scenario: before init
      Then kubeadm init stops on these machines:
        | without mount          | FileExisting-mount | mount not found in system path |
        | with port 10250 in use | Port-10250         | Port 10250 is in use           |

    Scenario: before init, and what only warns
      Then kubeadm init only warns of these machines:
        | whose service firewalld is active | Firewalld | firewalld is active  |
        | whose name nobody knows           | Hostname  | could not be reached |

    Scenario: before a join
      Then kubeadm join stops on these machines:
        | without mount | FileExisting-mount | mount not found in system path |

    Scenario: before a join, before a join
      Then kubeadm join only warns of these machines:
        | whose name nobody knows | Hostname | could not be reached |

  @PREF-003 @MUST
  Rule: Errors that are named are ignored, and no others

    Why: an operator may know better; a name that is misspelt must not switch everything off.
    Repair, for makers: compare names whatever their case, take "all" for every check, and no other name for more than
    itself.

    Scenario: names of checks, and all of them
      Then kubeadm init warns, whatever it is told to ignore:
        | without mount, ignoring FileExisting-mount                                  | FileExisting-mount | mount not found |
        | without mount, ignoring fileexisting-MOUNT                                  | FileExisting-mount | mount not found |
        | with port 6443 in use, ignoring all                                         | Port-6443          | in use          |
        | with port 6443 in use, without mount, ignoring Port-6443+FileExisting-mount | FileExisting-mount | mount not found |

    Scenario: names of checks, and all of them, and what stops
      Then kubeadm init stops on these machines:
        | without mount, ignoring Port-6443          | FileExisting-mount | mount not found |
        | without mount, ignoring NoSuchCheck        | FileExisting-mount | mount not found |
        | with port 6443 in use, ignoring Port-10250 | Port-6443          | in use          |

    Scenario: names of checks, in a configuration
      Then kubeadm init warns, whatever it is told to ignore:
        | without mount, configured to ignore FileExisting-mount                                            | FileExisting-mount | mount not found |
        | with port 6443 in use, without mount, configured to ignore port-6443+FileExisting-MOUNT           | Port-6443          | in use          |
        | with port 6443 in use, without mount, configured to ignore Port-6443, ignoring FileExisting-mount | Port-6443          | in use          |

    Scenario: names of checks, in a configuration, before a join
      Then kubeadm join warns, whatever it is told to ignore:
        | without mount, ignoring fileexisting-MOUNT             | FileExisting-mount | mount not found |
        | without mount, configured to ignore FileExisting-mount | FileExisting-mount | mount not found |

    Scenario: names of checks, in a configuration, and what stops
      Then kubeadm init stops on these machines:
        | without mount, configured to ignore Port-6443 | FileExisting-mount | mount not found |

    Scenario: all of them beside others
      Then kubeadm refuses what it is told of these machines:
        | as it should be, ignoring all+Swap | don't specify individual checks if 'all' is used |

  @PREF-011 @MUST
  Rule: Only root goes on

    Why: who is not root fails half-way, with half of the files written.
    Repair: run kubeadm as root.

    Scenario: another user
      Then kubeadm init stops on these machines:
        | of another user than root | IsPrivilegedUser | user is not running as root |

    Scenario: another user, before a join
      Then kubeadm join stops on these machines:
        | of another user than root | IsPrivilegedUser | user is not running as root |

  @PREF-012 @MUST
  Rule: A node has a name that is a DNS subdomain

    Why: the name becomes that of a Node and of its static Pods, which the API server refuses otherwise.
    Repair: give the node a name of lower-case letters, digits, "-" and "." with --node-name.

    Scenario: names that are none
      Then kubeadm refuses what it is told of these machines:
        | named Bad_Name | nodeRegistration.name: Invalid value: "bad_name" |
        | named -node    | nodeRegistration.name: Invalid value: "-node"    |

  @PREF-035 @MUST
  Rule: The checks can be run by themselves

    Why: a machine is looked at before the day on which it is needed.
    Repair, for makers: offer them as a phase that ends with 0 where kubeadm would go on, and that writes nothing.

    Scenario: kubeadm init phase preflight
      Then kubeadm init takes these machines:
        | as it should be |
      And init writes nothing on these machines:
        | as it should be |

  @PREF-036 @MUST
  Rule: A join looks for what init looks for

    Why: a worker needs no more than a control plane does, and less where it runs none.
    Repair, for makers: share the checks; leave out of a join what only a control plane needs.

    Scenario: what both find wrong
      Then a join looks at these machines for what init looks for:
        | without mount, with port 10250 in use, that swaps, where net.ipv4.ip_forward is 0, without a container runtime |
        | with /etc/kubernetes/kubelet.conf, with /etc/kubernetes/pki/ca.crt, whose service kubelet is disabled          |

    Scenario: what only a control plane needs
      Then kubeadm join says nothing of this:
        | with port 6443 in use                              | Port-6443    |
        | with port 10257 in use                             | Port-10257   |
        | with port 2379 in use                              | Port-2379    |
        | with /etc/kubernetes/manifests/kube-apiserver.yaml | manifests    |
        | with /var/lib/etcd/member                          | DirAvailable |

    Scenario: what only a join must not find
      Then kubeadm join stops on these machines:
        | with /etc/kubernetes/kubelet.conf           | FileAvailable--etc-kubernetes-kubelet.conf           | already exists |
        | with /etc/kubernetes/bootstrap-kubelet.conf | FileAvailable--etc-kubernetes-bootstrap-kubelet.conf | already exists |
        | with /etc/kubernetes/pki/ca.crt             | FileAvailable--etc-kubernetes-pki-ca.crt             | already exists |
