Feature: What a control plane gets from the others

  Control planes share keys. kubeadm leaves them, encrypted, in Secret kube-system/kubeadm-certs for two hours; who
  joins as a control plane and is told the certificate key takes them from there.

  @CERTKEY-019 @MUST
  Rule: Who is no control plane, or was told no key, does not download them

    Why: a worker has no use for the keys of the CA.
    Repair, for makers: ask for kubeadm-certs only with --control-plane and a certificate key.

    Scenario: a worker, and a control plane that has them already
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | ok-pin     |
        | cp-by-hand |
      Then it joins each of them
      And it does not ask GET /api/v1/namespaces/kube-system/secrets/kubeadm-certs

  @CERTKEY-020 @MUST
  Rule: They are downloaded with the token of TLS bootstrap

    Why: the machine has nothing else yet.
    Repair, for makers: ask with the client of TLS bootstrap.

    Scenario: as the token
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then it asks GET /api/v1/namespaces/kube-system/secrets/kubeadm-certs as its token

  @CERTKEY-021 @MUST
  Rule: With a wrong certificate key nothing is written, and the join fails

    Why: what does not decrypt is no key, and would be taken for one.
    Repair, for makers: verify the tag of every entry before the first file is written.

    Scenario: another key, and entries that nobody has encrypted with it
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-wrong-key    |
        | cp-short-data   |
        | cp-garbage-data |
        | cp-bad-tag      |
      Then it joins none of them
      And none of these files is written:
        | ca.crt             |
        | ca.key             |
        | sa.key             |
        | sa.pub             |
        | front-proxy-ca.crt |
        | front-proxy-ca.key |
        | etcd/ca.crt        |
        | etcd/ca.key        |

  @CERTKEY-022 @MUST
  Rule: An entry that is missing is an error

    Why: with a key of its own a control plane makes tokens and certificates that the others refuse.
    Repair, for makers: demand every entry, and name the one that is missing.

    Scenario: each of several
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-missing-ca.crt             |
        | cp-missing-ca.key             |
        | cp-missing-sa.key             |
        | cp-missing-sa.pub             |
        | cp-missing-front-proxy-ca.crt |
        | cp-missing-front-proxy-ca.key |
        | cp-missing-etcd-ca.crt        |
        | cp-missing-etcd-ca.key        |
      Then it joins none of them

  @CERTKEY-023 @MUST
  Rule: An empty entry is skipped, without a file

    Why: it stands for what the first control plane has not; an empty file would be taken for a broken key.
    Repair, for makers: write nothing for it, and go on.

    Scenario: ca.key is empty
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-empty-ca.key |
      Then it joins, or has written all but these files where it makes certificates by them:
        | ca.key |
      And none of these files is written:
        | ca.key |

  @CERTKEY-024 @MUST
  Rule: The other entries are written where they belong

    Why: only with the same files is it the same cluster.
    Repair, for makers: write each entry to the path that its name comes from.

    Scenario: byte for byte
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then these files are those of the other control planes:
        | ca.crt             |
        | ca.key             |
        | sa.key             |
        | sa.pub             |
        | front-proxy-ca.crt |
        | front-proxy-ca.key |
        | etcd/ca.crt        |
        | etcd/ca.key        |

  @CERTKEY-025 @MUST
  Rule: Without the Secret a control plane that needs it does not join

    Why: with a CA of its own it would be another cluster.
    Repair, for makers: end with an error, and say that the Secret may have expired.

    Scenario: it has expired, or is forbidden
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-certs-expired   |
        | cp-certs-forbidden |
      Then it joins none of them

    Scenario: what is said of it
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-certs-expired |
      Then a client that speaks like kubeadm says "might have expired"

  @CERTKEY-004 @MUST
  Rule: A certificate key that is no hex is refused before anything is asked

    Why: text taken for bytes decrypts nothing, or encrypts with what nobody can tell again.
    Repair, for makers: read it as hexadecimal digits when it is given.

    Scenario: no hex
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-not-hex |
      Then it asks nobody anything

    Scenario: hex of either case
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
        | cp-upper-key      |
      Then it joins each of them

  @CERTKEY-005 @MUST
  Rule: A certificate key has 64 digits

    Why: it is a key of AES-256.
    Repair, for makers: refuse every other length when it is given.

    Scenario: other lengths
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-short-key   |
        | cp-16-byte-key |
        | cp-long-key    |
      Then it asks nobody anything

  @CERTKEY-026 @MUST
  Rule: Besides token and pin a control plane is given the certificate key

    Why: the token alone must not be enough to get the keys of the CA.
    Repair, for makers: take the key as an argument of its own; derive it from nothing that the cluster knows.

    Scenario: with the key, and without
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-download-certs |
      Then it joins each of them
      And these files are those of the other control planes:
        | ca.key |
