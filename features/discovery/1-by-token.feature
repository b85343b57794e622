Feature: How a machine finds its cluster with a token

  A machine that joins knows an endpoint, a token and perhaps a pin. It reads cluster-info from whoever answers there,
  and believes it only by the signature of its token and the pin of the CA; then it reads it again from a server that
  has a certificate of that CA. Here the machine is under judgement, and the servers that it meets are ours.

  @DISC-001 @MUST
  Rule: A machine finds its cluster by a token, by a file and by an https URL

    Why: where no secret can be handed out in time a file has to do, and the other way round.
    Repair, for makers: offer all three; what none of them is given to is no discovery.

    Scenario: each of the ways
      When it is before each of these servers:
        | ok-pin   |
        | file-ok  |
        | https-ok |
      Then it joins each of them

  @DISC-002 @MUST
  Rule: Without a way of discovery nothing is joined

    Why: a default address is somebody's, and nobody has said that he is to be believed.
    Repair, for makers: refuse a configuration without discovery, before the first request.

    Scenario: neither token nor file
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | discovery-none  |
        | cli-nothing     |
        | cli-no-endpoint |
      Then it asks nobody anything

  @DISC-003 @MUST
  Rule: With a token the CA comes from cluster-info in kube-public

    Why: the certificate of a handshake is whatever the one at the other end has made.
    Repair, for makers: read the CA from the kubeconfig in ConfigMap kube-public/cluster-info, and from nothing else.

    Scenario: it is asked for, and its CA is taken
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | ok-pin      |
        | ok-unsafe   |
        | cli-ok      |
        | old-ok      |
        | node-dotted |
      Then its first request is for cluster-info, as nobody
      And the CA of the cluster is saved

    Scenario: its CA is not that of the certificate served
      Given a client that joins "ok-unsafe"
      When it is before each of these servers, in each way:
        | kc-ca-other-unsafe   |
        | cert-other-ca-unsafe |
      Then it trusts none of them

  @DISC-004 @MUST
  Rule: cluster-info is first asked for as nobody

    Why: a token that is shown to a server which is not known yet is known to that server.
    Repair, for makers: send neither an Authorization header nor a client certificate.

    Scenario: with pins and without
      When it is before each of these servers:
        | ok-pin            |
        | ok-unsafe         |
        | cli-ok            |
        | old-ok            |
        | node-dotted       |
        | file-ok           |
        | https-ok          |
        | cp-download-certs |
        | cp-unsafe         |
        | cp-file           |
        | cp-https          |
        | cp-dotted         |
      Then its first request is for cluster-info, as nobody

    Scenario: on a machine that has been a node
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-before |
      Then its first request is for cluster-info, as nobody

  @DISC-005 @MUST
  Rule: The first look believes any certificate

    Why: nothing is known yet by which a certificate could be judged; the signature judges what it served.
    Repair, for makers: do not verify the first connection, and use nothing of it but cluster-info.

    Scenario: certificates that nobody can verify
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | cert-other-ca-first    |
        | cert-self-signed-first |
        | cert-expired-first     |
        | cert-future-first      |
        | cert-other-name-first  |
      Then it joins each of them

  @DISC-006 @MUST
  Rule: The first look is over TLS all the same

    Why: what is not encrypted can be read and changed by everybody on the way.
    Repair, for makers: ask https:// whatever the endpoint looks like, and do not fall back.

    Scenario: servers with TLS and without
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | ok-pin            |
        | ok-unsafe         |
        | cli-ok            |
        | old-ok            |
        | node-dotted       |
        | cp-download-certs |
        | cp-unsafe         |
        | cp-dotted         |
        | plain-http        |
      Then it speaks TLS on every connection

    Scenario: servers whose certificate is not believed
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | cert-other-ca |
        | file-wrong-ca |
      Then it speaks TLS on every connection

  @DISC-007 @MUST
  Rule: A look that fails is repeated until the time is over

    Why: machines are started together with their control plane, which takes its time.
    Repair, for makers: try again whatever the failure, until the discovery timeout.

    Scenario: servers that come round
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | 503-twice       |
        | slow            |
        | 429-retry-after |
        | 429-twice       |
        | many-refusals   |
        | tcp-close-twice |
      Then it joins each of them

    Scenario: servers that come round after minutes
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | minutes-of-refusals        |
        | second-minutes-of-refusals |
      Then it joins each of them

    Scenario: one that never comes round at the second look
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | second-503 |
      Then it keeps asking until its time is over

    Scenario: one that comes round at the second look
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | second-503-once      |
        | second-many-refusals |
      Then it joins each of them

    Scenario: servers that never do
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | missing       |
        | 401           |
        | 403           |
        | 404-plain     |
        | 200-status    |
        | 500           |
        | 404-true      |
        | 300-true      |
        | html-502      |
        | html-200      |
        | empty-body    |
        | plain-http    |
        | tls-no-cipher |
        | tcp-close     |
        | cut           |
        | reset         |
      Then it keeps asking until its time is over

    Scenario: answers that are no cluster-info, to a client that needs what kubeadm needs
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | json-null          |
        | json-array         |
        | json-empty-object  |
        | other-kind         |
        | status-success-200 |
        | html-200-as-json   |
        | data-absent        |
      Then a client that needs what kubeadm needs keeps asking until its time is over

  @DISC-008 @MUST
  Rule: A signature that is not there yet is waited for

    Why: the signer of the cluster needs a moment after a token was made.
    Repair, for makers: look again where the key jws-kubeconfig-<token id> is missing.

    Scenario: it comes late
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-late |
      Then it joins each of them

    Scenario: it never comes
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-jws           |
        | jws-other-id     |
        | jws-longer-id    |
        | jws-beside       |
        | jws-of-tls-token |
      Then it keeps asking until its time is over

  @DISC-009 @MUST
  Rule: When the time is over the join fails, with the last error

    Why: a machine that waits for ever is never looked at; one that goes on has believed a stranger.
    Repair, for makers: end with an error at the discovery timeout, and name what went wrong last.

    Scenario: servers that answer
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-jws                   |
        | missing                  |
        | 500                      |
        | data-empty               |
        | 503-retry-after-tomorrow |
        | second-503               |
      Then it trusts none of them
      And it gives up when its time is over

    Scenario: servers that do not answer
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | hang-tls     |
        | hang-http    |
        | drip         |
        | refused      |
        | 429-for-ever |
      Then it trusts none of them
      And it gives up when its time is over, and the call that is under way then

    Scenario: the last error
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-jws |
      Then a client that speaks like kubeadm says "could not find a JWS signature in the cluster-info ConfigMap"

  @DISC-010 @MUST
  Rule: The pause between two looks is no longer than the timeout

    Why: who is given two seconds and sleeps for five has not kept to them.
    Repair, for makers: take the smaller of the two as the interval; look at once in any case.

    Scenario: little time, or none
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | timeout-2s |
        | timeout-0s |
      Then its first request is for cluster-info, as nobody
      And it gives up when its time is over

  @DISC-012 @MUST
  Rule: The first look is at once, and none follows that is not needed

    Why: a thousand machines that ask more than they need are a load, and a pause before the first look is lost time.
    Repair, for makers: look before the first pause, and stop at success.

    Scenario: with pins there are two
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | ok-pin            |
        | cli-ok            |
        | old-ok            |
        | node-dotted       |
        | cp-download-certs |
        | cp-dotted         |
      Then it looks at cluster-info at once, and 2 times in all

    Scenario: without pins there is one
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | ok-unsafe  |
        | cli-unsafe |
      Then it looks at cluster-info at once, and 1 time in all

  @DISC-014 @MUST
  Rule: A cluster-info without a kubeconfig is an error

    Why: an empty cluster has no CA that could be wrong.
    Repair, for makers: refuse it, signed or not.

    Scenario: none, or an empty one
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | no-kubeconfig        |
        | kubeconfig-empty     |
        | kubeconfig-elsewhere |
        | binary-kubeconfig    |
        | kc-no-clusters       |
        | kc-other-kind        |
        | kc-not-yaml          |
      Then it trusts none of them

  @DISC-015 @MUST
  Rule: The CA is compared with the pins

    Why: the signature shows who knows the token; the pin shows which cluster it is.
    Repair, for makers: compare the key of the CA in cluster-info with every pin, after the signature.

    Scenario: another CA, or another pin
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-wrong              |
        | kc-ca-other            |
        | kc-no-ca-pin           |
        | kc-ca-beside           |
        | kc-ca-garbage          |
        | kc-ca-not-base64       |
        | kc-ca-bundle-none      |
        | kc-ca-unreadable-first |
      Then it trusts none of them

    Scenario: the pinned CA is that of another cluster than the one that counts
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kc-two-clusters-second-pinned |
        | kc-two-clusters-second-served |
        | kc-unnamed-and-context        |
      Then it trusts none of them

  @DISC-016 @MUST
  Rule: With pins cluster-info is read again from a server that has a certificate of its CA

    Why: only so it is known that whoever has answered is the cluster whose CA it is.
    Repair, for makers: verify chain, names, dates and usage of the second connection with the CA that was found.

    Scenario: there is a second look before anything is shown
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | ok-pin            |
        | cli-ok            |
        | old-ok            |
        | node-dotted       |
        | cp-download-certs |
        | cp-dotted         |
        | ok-pin-and-unsafe |
        | pin-two-first     |
        | pin-two-second    |
      Then it reads cluster-info 2 times at least before it shows a credential

    Scenario: certificates that are not right
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cert-other-ca             |
        | cert-other-ca-for-long    |
        | cert-other-ca-elsewhere   |
        | cert-host-ca              |
        | cert-self-signed          |
        | cert-other-name           |
        | cert-expired              |
        | cert-expired-by-its-clock |
        | cert-future               |
        | cert-client-eku           |
        | cert-by-leaf              |
        | cert-beside-ca            |
        | cert-brings-ca            |
        | cert-stale-ca             |
        | cert-ip-as-name           |
        | cert-ip-alone-elsewhere   |
        | kc-ca-expired             |
      Then it trusts none of them
      And it takes cluster-info from each of them once at most

    Scenario: a certificate whose name stands in its subject alone, to a client that reads names as Go does
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cert-no-san |
      Then a client that speaks like kubeadm trusts none of them

    Scenario: a second look that gives nothing
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | second-403  |
        | hang-second |
      Then it trusts none of them

  @DISC-017 @MUST
  Rule: Both copies of the kubeconfig are the same

    Why: what differs was changed on the way to the first look, or after it.
    Repair, for makers: compare the whole text, not the CA alone; what is around it in the ConfigMap does not matter.

    Scenario: whatever differs
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | second-differs       |
        | second-differs-once  |
        | second-server        |
        | second-ca            |
        | second-same-length   |
        | second-newline       |
        | second-no-kubeconfig |
        | second-503-differs   |
      Then it trusts none of them

    Scenario: the text is the same
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | second-metadata |
      Then it joins each of them

  @DISC-018 @MUST
  Rule: Both looks go to the endpoint that was given

    Why: a server that is named by what is not believed yet must not get to say who it is.
    Repair, for makers: ask the given endpoint both times, with the path that it has.

    Scenario: cluster-info names another server
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | kc-server-elsewhere |
      Then it looks at cluster-info at once, and 2 times in all

    Scenario: the endpoint has a path, or capitals, or is written in another way
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | endpoint-path       |
        | endpoint-path-upper |
        | endpoint-upper-host |
        | endpoint-mapped     |
      Then it joins each of them

  @DISC-019 @MUST
  Rule: Signature, pin, second look and comparison come in this order

    Why: every step rests on the one before it; a connection that believes a CA without a pin believes anybody.
    Repair, for makers: end at the first step that fails.

    Scenario: a CA that fails its pin, or a text that fails its signature, is not connected with
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | pin-wrong-and-stranger |
        | jws-wrong-and-stranger |
      Then it tries no connection that believes their CA

    Scenario: nothing is read again
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-wrong |
      Then it looks at cluster-info at once, and 1 time in all

    Scenario: a signature that does not fit is not read again
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-bit |
      Then a client that does as kubeadm does looks at cluster-info at once, and 1 time in all

  @DISC-020 @MUST
  Rule: Before the server is trusted nothing is handed on

    Why: a token in a file, or a file with a stranger's CA, outlives the join that has failed.
    Repair, for makers: keep everything in memory until discovery is over.

    Scenario: the server fails at some step
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-wrong-secret |
        | pin-wrong        |
        | cert-other-ca    |
        | second-differs   |
        | no-jws           |
        | 401              |
        | 403              |
      Then it trusts none of them

    Scenario: nothing is written too early
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | ok-pin                |
        | ok-unsafe             |
        | cli-ok                |
        | file-ok               |
        | https-ok              |
        | old-ok                |
        | cp-download-certs     |
        | cp-unsafe             |
        | cp-file               |
        | cp-https              |
        | old-cp-download-certs |
      Then nothing is written before discovery is over
      And no look at cluster-info tells what the machine is called

  @DISC-021 @MUST
  Rule: A validation that fails ends the join with an error that says so

    Why: a warning is read after the machine has joined a stranger.
    Repair, for makers: end with another code than 0, and say that the API server's identity could not be validated.

    Scenario: each of the validations
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-wrong-secret |
        | pin-wrong        |
        | cert-other-ca    |
        | second-differs   |
      Then it trusts none of them
      And a client that speaks like kubeadm says "couldn't validate the identity of the API Server"

  @DISC-022 @MUST
  Rule: The token is shown after discovery only, over TLS that is verified with the discovered CA

    Why: with the token whoever gets it can join machines, and sign for clusters.
    Repair, for makers: verify every later connection with the CA of cluster-info, whatever the payload says of TLS.

    Scenario: certificates that change, or were never right
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | ok-pin                  |
        | ok-unsafe               |
        | cert-changes            |
        | cert-other-ca-first     |
        | cert-other-ca-unsafe    |
        | cert-host-ca-unsafe     |
        | cert-expired-unsafe     |
        | cert-self-signed-unsafe |
        | cert-other-name-unsafe  |
        | cert-changes-unsafe     |
        | redirect-late           |
        | cp-redirect-late        |
        | kc-insecure-skip        |
        | cp-kc-insecure-skip     |
        | kc-insecure-later       |
        | cp-kc-insecure-later    |
        | second-differs          |
        | cp-second-differs       |
      Then it shows a credential to the right server only

    Scenario: a certificate that changes after any of its steps
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cert-changes-after-configuration         |
        | cert-changes-after-kubelet-configuration |
        | cert-changes-after-node                  |
        | cert-changes-after-request               |
        | cert-changes-after-503                   |
        | cert-other-name-after-configuration      |
        | cert-expired-after-configuration         |
        | cert-future-after-configuration          |
        | cert-client-eku-after-configuration      |
        | cert-host-ca-after-configuration         |
        | cert-by-leaf-after-configuration         |
        | cert-beside-ca-after-configuration       |
        | cert-ip-as-name-after-configuration      |
        | cert-other-name-after-node               |
        | cert-expired-after-node                  |
        | cert-future-after-node                   |
        | cert-client-eku-after-node               |
        | cert-host-ca-after-node                  |
      Then it shows a credential to the right server only

    Scenario: a certificate that changes as soon as the cluster is found
      Given a client that joins "ok-unsafe"
      When it is before each of these servers, in each way:
        | cert-changes-after-look    |
        | cert-other-name-after-look |
        | cert-expired-after-look    |
        | cert-future-after-look     |
        | cert-client-eku-after-look |
        | cert-host-ca-after-look    |
        | cert-by-leaf-after-look    |
        | cert-beside-ca-after-look  |
      Then it shows a credential to the right server only

    Scenario: a certificate for the address of the endpoint, and not for the name that cluster-info has
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cert-ip-alone-named |
      Then it shows a credential to the right server only

    Scenario: a certificate that changes before the Node of a control plane is marked
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cert-changes-after-login |
      Then it shows a credential to the right server only

    Scenario: a certificate that changes before shared certificates are downloaded
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cert-changes-before-download |
      Then it shows a credential to the right server only

  @DISC-023 @MUST
  Rule: Who stands between and does not know the token is not trusted

    Why: the network belongs to others; the token and the pin are all that a machine has of its own.
    Repair, for makers: trust nothing of a server before the signature is verified with the own token.

    Scenario: strangers with a CA of their own
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | mitm-guessed          |
        | mitm-stolen-signature |
        | mitm-no-signature     |
      Then it trusts none of them

    Scenario: where pins are renounced
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | mitm-guessed-unsafe |
      Then it trusts none of them

  @TOK-017 @MUST
  Rule: A token that is none is refused before anything is asked

    Why: a token without its form finds no signature, and the machine would wait for one.
    Repair, for makers: read the token as [a-z0-9]{6}.[a-z0-9]{16} before the first request.

    Scenario: forms that are none
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | token-foo.bar     |
        | token-upper-case  |
        | token-short       |
        | token-long        |
        | token-no-dot      |
        | token-dash        |
        | token-space       |
        | token-space-after |
        | token-quoted      |
        | token-empty       |
        | token-tls-bad     |
        | cli-bad-token     |
        | cli-no-token      |
      Then it asks nobody anything

  @INFO-012 @MUST
  Rule: What a client does not know in the kubeconfig is passed over

    Why: what is published there may become more, and machines of today have to join then.
    Repair, for makers: read the fields that are needed, and ignore the others.

    Scenario: fields that nobody knows, or that are of no use here
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | payload-more    |
        | kc-users        |
        | kc-json         |
        | kc-crlf         |
        | kc-comments     |
        | kc-ca-explained |
      Then it joins each of them

    Scenario: credentials in it are nobody's
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kc-context-token  |
        | kc-context-plugin |
      Then it joins each of them
      And no plug-in that it names is run

  @P-546 @MUST
  Rule: What nobody has signed is data, and no code

    Why: whoever stands between a machine and its cluster answers its first look; what is run then is run by root, before
    anything is known of who has sent it.
    Repair, for makers: verify the signature before the text is read; read YAML without tags of a language, and give no
    part of it to a shell.

    Scenario: tags of YAML, and names that are commands
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kc-yaml-code  |
        | kc-shell-code |
      Then it trusts none of them
      And no plug-in that it names is run
