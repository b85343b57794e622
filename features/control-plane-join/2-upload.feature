Feature: What the first control plane hands on

  kubeadm init with --upload-certs, and its phase upload-certs, leave the keys of the cluster in Secret
  kube-system/kubeadm-certs: encrypted, for two hours, for those who join. Its commands for those who join say the pin.

  @CERTKEY-001 @MUST
  Rule: Nobody uploads them unasked

    Why: keys that nobody wants to hand on are best left on one disk.
    Repair, for makers: skip the phase without --upload-certs, whatever else was told.

    Scenario: without the option
      Given a kubeadm that uploads shared certificates
      When it uploads them, as it is told:
        | not told to                   |
        | a key told, but not to upload |
      Then nothing is uploaded

  @CERTKEY-002 @MUST
  Rule: A certificate key is made where none is given

    Why: a key that others can guess is none.
    Repair, for makers: 32 random bytes each time, in hexadecimal digits.

    Scenario: twice
      When it uploads them, as it is told:
        | twice, no key told |
      Then it makes another key each time
      And its key opens each of them

  @CERTKEY-003 @MUST
  Rule: A certificate key that is given is used

    Why: whoever has given it has told it to the machines that join.
    Repair, for makers: encrypt with the bytes that its digits stand for, of either case.

    Scenario: digits of either case
      When it uploads them, as it is told:
        | a key told             |
        | a key in capitals told |
      Then its key opens each of them

  @CERTKEY-006 @SHOULD
  Rule: The certificate key is said, unless that is suppressed

    Why: without it nobody joins; with it in a log everybody does.
    Repair, for makers: say it last, and not with --skip-certificate-key-print.

    Scenario: said
      When it uploads them, as it is told:
        | no key told |
        | a key told  |
      Then it says its key

    Scenario: suppressed
      Given a kubeadm that uploads shared certificates
      When it uploads them, as it is told:
        | a key told, and not to say it |
      Then they are in the cluster
      And it says no key

  @CERTKEY-007 @MUST
  Rule: They are in Secret kube-system/kubeadm-certs

    Why: those who join look for it there, and may read no other.
    Repair, for makers: write the Secret of this name, in the plural.

    Scenario: its name
      When it uploads them, as it is told:
        | no key told |
      Then they are in the one Secret of their name

  @CERTKEY-008 @MUST
  Rule: A bootstrap token of two hours is made for them

    Why: a Secret has no end of its own; a token has.
    Repair, for makers: a token of its own for each upload, which expires two hours later.

    Scenario: its life
      When it uploads them, as it is told:
        | no key told |
        | a key told  |
      Then it makes a token of two hours

  @CERTKEY-009 @SHOULD
  Rule: Nobody joins with that token

    Why: it is a clock, and no credential.
    Repair, for makers: give it neither usages nor groups.

    Scenario: as a credential
      Given a kubeadm that uploads shared certificates
      When it uploads them, as it is told:
        | no key told |
      Then nobody joins with that token

  @CERTKEY-010 @MUST
  Rule: That token owns the Secret

    Why: without an owner the keys of the cluster stay for ever.
    Repair, for makers: one owner reference, to the token's Secret as it is stored, with its uid.

    Scenario: its owner
      When it uploads them, as it is told:
        | no key told |
      Then that token owns the Secret

  @P-429 @SHOULD
  Rule: The Secret names its owner as its controller

    Why: of an owner that is no controller anybody may make another one beside it, and who deletes it in the foreground
    does not wait for the keys of the cluster to go.
    Repair, for makers: an owner reference with controller and blockOwnerDeletion, as every controller sets them.

    Scenario: its owner
      When it uploads them, as it is told:
        | no key told |
      Then that token is its controller

  @CERTKEY-011 @MUST
  Rule: The Secret goes with its owner

    Why: two hours are enough.
    Repair, for makers: name kind, name and uid of an owner that is there.

    Scenario: the owner is removed
      When it uploads them, as it is told:
        | no key told |
      Then the Secret goes with its owner

  @CERTKEY-012 @MUST
  Rule: The key is read first, then everything is made in its order

    Why: a token without a Secret, or a right to a Secret that is not there, is what a failure leaves.
    Repair, for makers: read the key, make the token, encrypt, write the Secret with its owner, then Role and RoleBinding.

    Scenario: in this order
      When it uploads them, as it is told:
        | no key told |
      Then it makes everything in its order

    Scenario: a key that is none
      Given a kubeadm that uploads shared certificates
      When it uploads them, as it is told:
        | a key that is no hex |
        | a key of 16 bytes    |
      Then it fails and leaves nothing

  @CERTKEY-013 @MUST
  Rule: Nobody reads them without the key

    Why: whoever reads Secrets of kube-system, or a backup of etcd, would be the cluster.
    Repair, for makers: AES-256-GCM with a new random nonce for each entry.

    Scenario: entries
      When it uploads them, as it is told:
        | no key told |
        | a key told  |
      Then nobody reads them without the key
      And its key opens each of them

  @CERTKEY-014 @MUST
  Rule: There is an entry for each file that is handed on

    Why: a control plane that lacks one joins nobody; one that gets more has what it must not share.
    Repair, for makers: authorities and the keys of ServiceAccounts; of another etcd its CA and the client's pair.

    Scenario: an etcd of its own, and one of somebody else
      When it uploads them, as it is told:
        | no key told              |
        | an etcd of somebody else |
      Then each of its files has an entry
      And its key opens each of them

  @CERTKEY-015 @MUST
  Rule: A file that is not there has an empty entry, and any other error ends the upload

    Why: who joins skips what is empty; a key that was there but could not be read would be lost silently.
    Repair, for makers: tell "there is none" from "it cannot be read". Without the CA's own key nothing is shared.

    Scenario: no such file
      When it uploads them, as it is told:
        | without sa.pub |
      Then they are in the cluster
      And what is not there has an empty entry

    Scenario: a folder in its place, and a CA whose key lies elsewhere
      Given a kubeadm that uploads shared certificates
      When it uploads them, as it is told:
        | etcd/ca.key is a folder          |
        | the key of the CA lies elsewhere |
      Then it fails and leaves no certificates

  @CERTKEY-016 @MUST
  Rule: Entries are named for their files

    Why: who joins finds them by these names, and a Secret has no "/" in its keys.
    Repair, for makers: the path below the folder of certificates, with "-" for "/".

    Scenario: names
      When it uploads them, as it is told:
        | no key told |
      Then each of its files has an entry
      And its key opens each of them

  @CERTKEY-017 @MUST
  Rule: Uploading again replaces them

    Why: after two hours, or with another key, they are uploaded again for the next machine.
    Repair, for makers: create the Secret, or update all of it with the owner.

    Scenario: twice
      When it uploads them, as it is told:
        | twice, with two keys |
      Then they are in the cluster
      And its key opens each of them
      And that token owns the Secret

  @CERTKEY-018 @MUST
  Rule: Those who join may read this Secret, and nothing else

    Why: a token that reads every Secret of kube-system is an administrator.
    Repair, for makers: a Role with the one verb, resource and name, bound to the group of kubeadm's tokens.

    Scenario: Role and RoleBinding
      When it uploads them, as it is told:
        | no key told |
      Then those who join may read them, and nothing else

  @CERTKEY-028 @MUST
  Rule: The certificate key is not stored in the cluster

    Why: beside what it opens it protects nothing.
    Repair, for makers: say it to who runs the upload, and write it nowhere.

    Scenario: after an upload, and after a whole init
      Given a kubeadm that uploads shared certificates
      When it uploads them, as it is told:
        | no key told  |
        | a key told   |
        | a whole init |
      Then the cluster does not hold its key

  @PIN-012 @MUST
  Rule: Init says the pin of the cluster

    Why: a pin that nobody was told is one that nobody uses.
    Repair, for makers: say --discovery-token-ca-cert-hash with the hash of each authority in the command to join.

    Scenario: its commands to join
      When it uploads them, as it is told:
        | a whole init |
      Then init's commands to join pin the CA of the cluster
