Feature: Joining clients as careful operators want them

  kubeadm does what these rules advise against, and no document forbids it: whoever writes a client of his own need not do
  the same. What they find is told as advice, unless the profile demands them.

  @P-10 @SHOULD
  Rule: A download is what was asked for, and ends

    Why: kubeadm takes a page of status 404 for a discovery file where it reads like one, and waits for ever for one that
    does not come.
    Repair, for makers: take status 200 alone, and end the download with the time of discovery.

    Scenario: another status
      Given a client of habits of its own, which joins "https-ok"
      When it is before each of these servers, in each way:
        | https-404-kubeconfig |
      Then it trusts none of them

    Scenario: a server that does not answer
      Given a client of habits of its own, which joins "https-ok"
      When it is before each of these servers, in each way:
        | https-hang |
      Then it gives up when its time is over, and the call that is under way then

  @P-125 @SHOULD
  Rule: Discovery follows no redirect

    Why: no API server sends one for cluster-info. kubeadm follows ten of them, to any server and without TLS: what it
    believes in the end is signed or verified, and who has sent it there knows which machine joins where.
    Repair, for makers: follow none, and take them for failures.

    Scenario: to another path, and away from TLS
      Given a client of habits of its own, which joins "ok-pin"
      When it is before each of these servers:
        | redirect-same |
        | redirect-http |
      Then it trusts none of them
      And it speaks TLS on every connection

    Scenario: of a discovery file
      Given a client of habits of its own, which joins "https-ok"
      When it is before each of these servers:
        | https-redirect |
      Then it trusts none of them

    Scenario: of a discovery file, away from TLS
      Given a client of habits of its own, which joins "https-ok"
      When it is before each of these servers, in each way:
        | https-redirect-http |
      Then it speaks TLS on every connection

    Scenario: once it shows its token, away from TLS
      Given a client of habits of its own, which joins "ok-pin"
      When it is before each of these servers, in each way:
        | redirect-late-http |
      Then it speaks TLS on every connection

  @P-126 @SHOULD
  Rule: What is not one verified cluster is refused

    Why: kubeadm takes one of several clusters and may compare the CA of another one with its pins; it shows its token to a
    server without TLS, and by a file without a CA to anybody, where somebody says so.
    Repair, for makers: demand one cluster, with https and a CA.

    Scenario: several clusters
      Given a client of habits of its own, which joins "ok-unsafe"
      When it is before each of these servers:
        | kc-two-clusters-context-unsafe |
      Then it trusts none of them

    Scenario: a server without TLS
      Given a client of habits of its own, which joins "ok-pin"
      When it is before each of these servers, in each way:
        | kc-server-http |
      Then it speaks TLS on every connection

    Scenario: a file without a CA
      Given a client of habits of its own, which joins "file-ok"
      When it is before each of these servers:
        | file-no-ca-skip |
      Then it trusts none of them
