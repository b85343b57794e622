Feature: What stands before the cluster

  Webhooks are asked before the API server takes a request. One that is gone keeps machines out, and each is sent what
  it is asked about, whole.

  @P-170 @MUST
  Rule: Webhooks that are asked of joining machines are there

    Why: without an answer, the API server refuses the request of every machine, and no join comes to its end.
    Repair: bring the Service or the authority of its certificate back, remove the webhook, or let it pass over what it
    is not for: by its rules, or with failurePolicy Ignore.

    Scenario: webhook configurations
      Given the admission webhooks of the cluster
      Then each that is asked of joining machines is there

  @P-171 @SHOULD
  Rule: Webhooks beyond the cluster are sent no bootstrap tokens

    Why: the API server sends each Secret whole, and whoever has a token lets machines join.
    Repair: leave kube-system out with a namespaceSelector, or leave out secrets.

    Scenario: webhook configurations
      Given the admission webhooks of the cluster
      Then none beyond the cluster is sent its bootstrap tokens

  @P-285 @SHOULD
  Rule: No webhook changes certificate requests

    Why: what it answers to the approval of one request is stored for it, and an approval that it adds is signed as any
    other.
    Repair: take certificatesigningrequests out of the rules of the MutatingWebhookConfiguration; who is to approve is
    given the right to.

    Scenario: webhook configurations
      Given the admission webhooks of the cluster
      Then none changes certificate requests

  @P-273 @SHOULD
  Rule: Webhooks of teams are not asked of what machines join by

    Why: who runs Pods behind the Service is sent each bootstrap token that is written, and answers with another Node,
    binding or review than was asked for.
    Repair: pick namespaces by namespaceSelector (not kube-system, not kube-public), name fewer resources, or run the
    webhook where administrators alone run Pods.

    Scenario: webhook configurations
      Given the admission webhooks of the cluster
      Then none of a team is asked of what machines join by

  @P-175 @MUST
  Rule: Admission policies let machines join

    Why: a policy that refuses what a kubelet or a controller asks for keeps every machine out, and one that changes it
    gives machines other certificates or another role than they ask for.
    Repair: leave certificates.k8s.io, Nodes, Leases, serviceaccounts/token and what controllers do in kube-system out of
    the policy, or bind it with the actions Warn and Audit alone; parameters that it asks for have to be there even then.

    Scenario: admission policies and their bindings
      Given the admission policies of the cluster
      Then none refuses or changes what joining machines ask for

  @P-177 @MUST
  Rule: The API server itself serves what machines join by

    Why: whoever is registered for certificates, reviews or tokens in its place answers as he likes, and where nobody is,
    the controllers do not start that sign and approve.
    Repair: delete the APIService that names a Service, and restart kube-apiserver, which registers its own.

    Scenario: API services
      Given the API services of the cluster
      Then what machines join by is served by the API server itself

  @P-320 @SHOULD
  Rule: What others serve of the API is there

    Why: discovery names a group whose server is gone: no namespace is deleted any more, clients that ask for the whole
    API wait, and whoever makes the Service that is missing answers in its place.
    Repair: bring the server of the APIService back, or delete the APIService.

    Scenario: API services
      Given the API services of the cluster
      Then what others serve of the API is there

  @P-254 @MUST
  Rule: Flow control serves what joining machines ask for

    Why: what falls under a priority level without seats is refused with 429, or waits until its time is up.
    Repair: correct the subjects of the FlowSchema, or give its PriorityLevelConfiguration shares.

    Scenario: FlowSchemas and priority levels
      Given the flow control of the cluster
      Then what joining machines ask for is served

  @P-255 @SHOULD
  Rule: Flow control exempts nobody who may be anybody

    Why: whoever is limited by nothing takes the time of the API server from all who join.
    Repair: lead the group to a limited priority level; probes of health alone may be exempt for all.

    Scenario: FlowSchemas and priority levels
      Given the flow control of the cluster
      Then it exempts nobody who may be anybody

  @P-256 @MUST
  Rule: The namespaces that joining writes to take what is written

    Why: without its Lease a Node does not stay ready, without a Secret there is no token, and without kube-proxy and a
    network nothing runs on a machine.
    Repair: let the namespace end and make it again, raise the quota, keep it and ranges to what they are for, or set the
    level of Pod security of kube-system to privileged.

    Scenario: deletion, quotas and levels of Pod security
      Given the namespaces that joining writes to
      Then each takes what is written for machines that join
