Feature: How a machine finds its cluster with a file or an https URL

  A discovery file is a kubeconfig with a server and a CA. Who hands it out has to be trusted; its content is.

  @FDISC-001 @MUST
  Rule: A local path is taken for a discovery file

    Why: the file may lie on the machine already.
    Repair, for makers: take any path, absolute or not.

    Scenario: a file in the working directory
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | file-ok       |
        | file-relative |
      Then it joins each of them

    Scenario: a file that is not there
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | file-missing |
      Then it asks nobody anything

  @FDISC-002 @MUST
  Rule: An https URL is downloaded, and no other URL is taken

    Why: a file that came over http may be anybody's.
    Repair, for makers: take https:// alone, and refuse every other scheme.

    Scenario: https
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | https-ok   |
        | https-long |
      Then it joins each of them
      And it downloads the discovery file once

    Scenario: http
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | file-http-url |
      Then it asks nobody anything

  @FDISC-003 @MUST
  Rule: The download is verified with the CA bundle of the host

    Why: everything that is in the file is believed.
    Repair, for makers: verify chain, names and dates with the authorities of the host.

    Scenario: certificates that the host does not believe
      Given a client that joins "https-ok"
      When it is before each of these servers, in each way:
        | https-unknown-ca  |
        | https-expired     |
        | https-other-name  |
        | https-self-signed |
      Then it trusts none of them
      And it speaks TLS on every connection

    Scenario: a redirect to a server that the host does not believe
      Given a client that joins "https-ok"
      When it is before each of these servers:
        | https-redirect-unknown-ca |
      Then it trusts none of them

  @FDISC-004 @MUST
  Rule: A discovery file needs a server and a CA, and nothing else

    Why: credentials have no place in a file that many machines get.
    Repair, for makers: do not demand users or contexts; take the token from the configuration.

    Scenario: one cluster alone, and more than that
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | file-ok           |
        | file-token-inside |
      Then it joins each of them

    Scenario: files that name no cluster
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | file-empty          |
        | file-not-yaml       |
        | file-no-clusters    |
        | file-no-credentials |
      Then it trusts none of them

  @FDISC-005 @MUST
  Rule: The CA of the cluster is that of the file

    Why: the file was handed out by somebody who is trusted; whoever answers at its server is not.
    Repair, for makers: verify with the CA of the file, and keep it whatever cluster-info says.

    Scenario: another CA than that of the server
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | file-wrong-ca               |
        | https-file-wrong-ca         |
        | cp-file-wrong-ca            |
        | cp-https-file-wrong-ca      |
        | file-cert-other-ca          |
        | file-cert-other-ca-for-long |
        | file-ca-skip                |
        | cp-file-ca-skip             |
        | https-changes-after-file    |
        | file-cert-other-name        |
        | file-cert-expired           |
        | file-cert-future            |
        | file-cert-client-eku        |
        | file-cert-host-ca           |
        | file-cert-by-leaf           |
        | file-cert-self-signed       |
        | file-cert-brings-ca         |
        | cp-file-cert-brings-ca      |
        | cp-file-cert-other-name     |
        | cp-file-cert-expired        |
        | file-ca-ended               |
        | cp-file-ca-ended            |
      Then it trusts none of them
      And it takes cluster-info from none of them

    Scenario: another CA in cluster-info
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | file-other-ca       |
        | https-file-other-ca |
      Then it joins each of them
      And the CA of the cluster is saved

  @FDISC-006 @MUST
  Rule: With a discovery file cluster-info is looked at all the same

    Why: it shows that the server is there and is that of the CA, before the token is shown to it.
    Repair, for makers: read cluster-info over TLS that is verified with the CA of the file.

    Scenario: it is read first
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | file-ok  |
        | https-ok |
      Then it reads cluster-info 1 time at least before it shows a credential

  @FDISC-007 @MUST
  Rule: Where cluster-info cannot be had the file has to do

    Why: some clusters do not publish it, which is why they hand out files.
    Repair, for makers: go on with the file where cluster-info is forbidden, or holds nothing of use.

    Scenario: forbidden, or of no use
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | file-403           |
        | file-no-kubeconfig |
        | file-cm-garbage    |
      Then it joins each of them

  @FDISC-008 @MUST
  Rule: With a discovery file neither signature nor pin is needed

    Why: the CA is in the file, and nothing has to show that it is the right one.
    Repair, for makers: do not look at signatures there.

    Scenario: no signature, or a wrong one
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | file-no-jws  |
        | file-bad-jws |
      Then it joins each of them

  @FDISC-009 @MUST
  Rule: Discovery by file keeps to the discovery timeout

    Why: a machine that waits for ever is never looked at.
    Repair, for makers: end with an error when the discovery timeout is over.

    Scenario: servers that never answer, or never well
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | file-refused |
        | file-hang    |
        | file-500     |
        | file-no-ca   |
      Then it gives up when its time is over, and the call that is under way then
