Feature: What is served

  Rights are given to resources by their names, and clients find them by what the API server says of itself.

  @P-556 @MUST
  Rule: What an API server says of itself is so

    Why: clients make the path of what they ask for from it, auditors read roles by it, and kubeadm and load balancers take
    a control plane for ready by its checks.
    Repair, for makers: make all lists from what is served; say that a list is what it was to whoever names its tag, and
    404 to whoever asks for a check that nobody makes.

    Scenario: resources of one version
      Then the list of a version says of its resources:
        | version                      | resource                            | kind                      | in a namespace |
        | v1                           | secrets                             | Secret                    | true           |
        | v1                           | configmaps                          | ConfigMap                 | true           |
        | v1                           | nodes                               | Node                      | false          |
        | v1                           | nodes/status                        | Node                      | false          |
        | v1                           | serviceaccounts/token               | TokenRequest              | true           |
        | certificates.k8s.io/v1       | certificatesigningrequests          | CertificateSigningRequest | false          |
        | certificates.k8s.io/v1       | certificatesigningrequests/approval | CertificateSigningRequest | false          |
        | rbac.authorization.k8s.io/v1 | roles                               | Role                      | true           |
        | rbac.authorization.k8s.io/v1 | clusterroles                        | ClusterRole               | false          |
        | coordination.k8s.io/v1       | leases                              | Lease                     | true           |
      And each group prefers the first of its versions

    @since:1.30
    Scenario: resources of all versions
      Then the list of all resources says of some:
        | version                      | resource                   | kind                      | scope      |
        | v1                           | secrets                    | Secret                    | Namespaced |
        | v1                           | nodes                      | Node                      | Cluster    |
        | certificates.k8s.io/v1       | certificatesigningrequests | CertificateSigningRequest | Cluster    |
        | rbac.authorization.k8s.io/v1 | clusterroles               | ClusterRole               | Cluster    |
        | coordination.k8s.io/v1       | leases                     | Lease                     | Namespaced |
      And who names the tag of that list is told that it has not changed

    Scenario: forms
      Then an answer is of the form that was asked for:
        | JSON                                 |
        | JSON for people                      |
        | a table, or rather none              |
        | a table in protobuf                  |
        | a table of a group that nobody has   |
        | a table in protobuf, or else in JSON |

    Scenario: checks
      Then the API server answers about its checks:
        | of                                            | status | line                 |
        | /livez/ping                                   | 200    | ok                   |
        | /readyz/ping                                  | 200    | ok                   |
        | /livez/jp-absent                              | 404    |                      |
        | /readyz/jp-absent                             | 404    |                      |
        | /livez, in many words                         | 200    | [+]ping ok           |
        | /livez, in many words, but for its check ping | 200    | [+]ping excluded: ok |
