Feature: What is written

  Signer, cleaner, kubeadm and kubelets write what they have read, and wait for what is written: versions, UIDs and watches
  keep them from undoing each other's work.

  @P-362 @MUST
  Rule: A write meets what its writer has seen, or nothing

    Why: signer and kubeadm change cluster-info at the same time; the cleaner deletes the token that it has read, and not
    another one that has its name by now.
    Repair, for makers: answer 409 to whatever names another version or another UID than those of the stored object.

    Scenario: versions and UIDs
      Given a Secret that was changed since it was read
      Then whoever names what was read is refused, and changes nothing:
        | a replacement of that version |
        | a patch of that version       |
        | a deletion of that version    |
        | a deletion of another UID     |
      But whoever names what is there is let through:
        | a replacement of its version       |
        | a patch of its version             |
        | a deletion of its UID and version  |

    Scenario: what is only tried
      Given a Secret that was changed since it was read
      Then a dry run changes nothing that:
        | makes another one |
        | replaces it       |
        | patches it        |
        | deletes it        |

  @P-364 @MUST
  Rule: What joining looks for does not go with its namespace

    Why: with kube-public goes cluster-info, with kube-system every token.
    Repair: take NamespaceLifecycle out of --disable-admission-plugins of kube-apiserver.

    Scenario: namespaces of the system
      Then the deletion of a namespace of the system is forbidden, even where it is only tried:
        | kube-system |
        | kube-public |
        | default     |

    Scenario: a namespace that is going
      Given a namespace that is being deleted
      Then nothing new is made in it

  @P-366 @MUST
  Rule: A watch tells what has happened since the version that it names

    Why: whoever lists and then watches, as every kubelet that waits for its certificate does, misses what came between.
    Repair, for makers: tell every change after the version that was asked for, in order.

    Scenario: a Secret that is made, changed and deleted after a list
      Given a list, and a Secret that was made, changed and deleted since
      Then a watch of it begins with:
        | from            | what     |
        | the list on     | ADDED    |
        | its creation on | MODIFIED |
        | its change on   | DELETED  |
        | its deletion on | nothing  |
