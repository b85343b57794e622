Feature: Pins of the cluster CA

  A pin names the key of the CA that a machine is to find in cluster-info: "sha256:" and 64 hexadecimal digits, the hash
  of the Subject Public Key Info. It is told with --discovery-token-ca-cert-hash.

  @PIN-001 @MUST
  Rule: A pin is "sha256:" and hexadecimal digits

    Why: what is taken without its format is compared as something else.
    Repair, for makers: demand the format and nothing around it; the digits may be of either case.

    Scenario: of either case
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | ok-pin               |
        | pin-upper-hex        |
        | cli-pin-upper-hex    |
        | old-pin-upper-hex    |
        | dotted-pin-upper-hex |
        | cp-pin-upper-hex     |
        | pin-upper-all        |
      Then it joins each of them

    Scenario: without the format, or in another one
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | pin-no-prefix     |
        | pin-base64        |
        | pin-sha1          |
        | pin-md5           |
        | pin-sha512        |
        | pin-md5-of-key    |
        | pin-sha1-of-key   |
        | pin-sha384-of-key |
        | pin-sha512-of-key |
        | pin-spki          |
        | pin-no-format     |
        | pin-0x            |
        | pin-sha-256       |
        | pin-colons        |
        | pin-space         |
        | pin-space-inside  |
        | pin-space-after   |
      Then it trusts none of them

  @PIN-002 @MUST
  Rule: A pin is the SHA-256 of the Subject Public Key Info, in DER

    Why: kubeadm prints that hash, and openssl makes the same; another one fits no cluster, or the wrong one.
    Repair, for makers: hash the SubjectPublicKeyInfo of the CA certificate, algorithm included.

    Scenario: that hash
      When it is before each of these servers:
        | ok-pin |
      Then it joins each of them

    Scenario: hashes of something else
      Given a client that joins "ok-unsafe"
      When it is before each of these servers, in each way:
        | pin-fingerprint |
        | pin-pem         |
        | pin-bits        |
      Then it trusts none of them

  @PIN-003 @MUST
  Rule: The hash is that of RFC 7469, for keys of every kind, and is written in hex

    Why: the algorithm of a key belongs to what is hashed; tools that pin websites write the same hash in base64.
    Repair, for makers: hash the whole SubjectPublicKeyInfo; take hex, and refuse base64.

    Scenario: a key of another kind
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | pin-p384 |
      Then it joins each of them

    Scenario: in base64
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | pin-base64 |
      Then it trusts none of them

  @PIN-004 @MUST
  Rule: The key that is pinned is that of the CA, not of the serving certificate

    Why: serving certificates are renewed with new keys, and every API server has its own.
    Repair, for makers: compare pins with the CA in cluster-info alone.

    Scenario: the pin of the serving certificate, and of what has issued it
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-leaf    |
        | pin-between |
      Then it trusts none of them

  @PIN-005 @MUST
  Rule: Where no pin fits the join fails

    Why: another CA is another cluster.
    Repair, for makers: end with an error; pins that were given count also beside the permission to go without.

    Scenario: pins of others
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-wrong            |
        | pin-two-wrong        |
        | pin-first-digit      |
        | pin-last-digit       |
        | pin-middle-digit     |
        | kc-ca-other          |
        | kc-ca-bundle-none    |
        | wrong-pin-and-unsafe |
      Then it trusts none of them
      And a client that speaks like kubeadm says "are pinned"

    Scenario: after looks that have failed
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-wrong-after-503  |
        | pin-wrong-after-many |
      Then it trusts none of them

    Scenario: whatever else a machine is told
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | pin-wrong-dry-run       |
        | pin-wrong-control-plane |
        | pin-wrong-ignored       |
        | pin-wrong-verbose       |
      Then it trusts none of them

  @PIN-006 @MAY
  Rule: Several pins may be told

    Why: while a CA is changed machines have to join the old one and the new one.
    Repair, for makers: keep every pin of the list, or of the repeated flag.

    Scenario: in a configuration, and by flags
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-two-second     |
        | cli-two-pins-comma |
      Then it joins each of them

  @PIN-007 @MUST
  Rule: Of several pins one that fits is enough

    Why: while a CA is changed only one of them can.
    Repair, for makers: go on at the first that fits, wherever it stands in the list.

    Scenario: the first, and the last
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | pin-two-first                   |
        | cli-pin-two-first               |
        | old-pin-two-first               |
        | dotted-pin-two-first            |
        | cp-pin-two-first                |
        | pin-two-second                  |
        | cli-pin-two-second              |
        | old-pin-two-second              |
        | dotted-pin-two-second           |
        | cp-pin-two-second               |
        | pin-twice                       |
        | pin-three-first                 |
        | pin-three-second                |
        | pin-three-third                 |
        | kc-ca-bundle-right-first        |
        | cli-kc-ca-bundle-right-first    |
        | old-kc-ca-bundle-right-first    |
        | dotted-kc-ca-bundle-right-first |
        | cp-kc-ca-bundle-right-first     |
        | kc-ca-bundle-right-second       |
        | kc-ca-bundle-right-third        |
      Then it joins each of them

  @PIN-008 @MUST
  Rule: A malformed pin is an error

    Why: a pin that is passed over leaves an empty list, which pins nothing.
    Repair, for makers: end with an error at any pin that cannot be read, also beside a right one.

    Scenario: malformed pins
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-short       |
        | pin-extra-part  |
        | pin-odd         |
        | pin-not-hex     |
        | pin-sha1        |
        | pin-md5         |
        | pin-no-prefix   |
        | pin-empty       |
        | pin-no-digits   |
        | cli-bad-pin     |
        | pin-bad-no-jws  |
        | pin-bad-jws-bad |
      Then it trusts none of them

    Scenario: beside a right one
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-one-bad-one-right       |
        | pin-right-then-bad          |
        | pin-right-then-empty        |
        | pin-right-then-not-hex      |
        | pin-right-then-short        |
        | pin-right-then-other-format |
        | pin-right-then-bare         |
        | pin-right-then-no-digits    |
      Then it trusts none of them

  @PIN-009 @MAY
  Rule: Pins are skipped only where they are renounced

    Why: who forgets them is not to be less safe than who says that he goes without.
    Repair, for makers: refuse discovery by token without pins, unless unsafeSkipCAVerification says so.

    Scenario: renounced
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | ok-unsafe  |
        | cli-unsafe |
      Then it joins each of them

    Scenario: forgotten
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-none   |
        | cli-no-pin |
      Then it asks nobody anything

  @PIN-010 @MUST
  Rule: Who renounces pins still verifies the signature

    Why: the signature is all that is left.
    Repair, for makers: skip the comparison of the CA, and nothing else.

    Scenario: wrong signatures
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | unsafe-jws-wrong-secret |
        | unsafe-jws-garbage      |
        | unsafe-jws-empty        |
        | unsafe-jws-alg-none     |
      Then it trusts none of them

  @PIN-013 @MUST
  Rule: A CA that is issued again for the same key keeps its pin

    Why: a renewal of the CA's certificate must not end every join.
    Repair, for makers: hash the key, not the certificate.

    Scenario: another certificate for the key
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | kc-ca-again |
      Then it joins each of them
