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
        | a replacement of another UID  |
        | a deletion of another UID     |
      But whoever names what is there is let through:
        | a replacement of its version      |
        | a patch of its version            |
        | a deletion of its UID and version |

    Scenario: what is only tried
      Given a Secret that was changed since it was read
      Then a dry run changes nothing that:
        | makes another one             |
        | replaces it                   |
        | patches it                    |
        | deletes it                    |
        | deletes it after what it owns |

    Scenario: what is only tried, of a Secret that is held
      Given a Secret that was changed since it was read, and that a finalizer holds
      Then a dry run changes nothing that:
        | deletes it                    |
        | deletes it after what it owns |

  @P-382 @MUST
  Rule: What the server says of an object is not its maker's to say

    Why: the cleaner, owners and tokens tell objects by their UIDs, and requests are cleaned away by their age; who could
    choose them would take the place of what is gone.
    Repair, for makers: draw a UID and take the time at each creation; refuse what names another place than its path.

    Scenario: a new Secret
      Then what the maker of a Secret says of these is not held:
        | its UID                  |
        | the time of its creation |
        | the time of its deletion |
        | the time it has to end   |

    Scenario: a Secret that is there
      Then a Secret is not changed by:
        | a patch of its UID |

    Scenario: another place
      Then no Secret is:
        | made, of another namespace than its path |
        | replaced by one of another name          |
        | replaced by one of another namespace     |

  @P-383 @MUST
  Rule: A Secret stays of the type that it was made of

    Why: whoever may change a Secret of his own would make a bootstrap token of it, or a token of an account.
    Repair, for makers: refuse other types with 422, and every change of what says that it does not change.

    Scenario: its type
      Then a Secret is not changed by:
        | a replacement of another type |
        | a patch of its type           |

    Scenario: a Secret that does not change
      Then a Secret that says that it does not change is not changed by:
        | a patch of its data               |
        | a patch that lets it change again |

  @P-543 @MUST
  Rule: Each part of a Secret or ConfigMap is held as it was written, or refused

    Why: people write tokens as stringData; of a key that stands in two parts every reader takes another value, and who
    has made cluster-info immutable relies on that.
    Repair, for makers: write stringData over data and forget it; refuse a key in two parts with 422, and every change of
    what says that it does not change.

    Scenario: a Secret of no type
      Then a Secret that is made of no type is opaque

    Scenario: a Secret of texts
      Then of a key in data and stringData the text is held, in data alone

    Scenario: a ConfigMap of texts and bytes
      Then no ConfigMap is made with a key in data and binaryData

    Scenario: a ConfigMap that does not change
      Then a ConfigMap that says that it does not change is not changed by:
        | a patch of its text               |
        | a patch of its bytes              |
        | a patch that lets it change again |

  @P-545 @MUST
  Rule: A patch changes what it names, and nothing else

    Why: kubeadm, kubelets and signers write by patches, and many write to one object. One that does less leaves what was
    to be taken back, and one that does more takes away what others have written.
    Repair, for makers: apply a patch as a whole or refuse it with 422; refuse what is of another manager with 409, unless
    it is forced.

    Scenario: JSON patches
      Given a Secret of two keys, two annotations and two finalizers
      Then these leave of it what they are to leave:
        | a JSON patch that adds                |
        | a JSON patch that adds before another |
        | a JSON patch that replaces            |
        | a JSON patch that removes             |
        | a JSON patch that copies              |
        | a JSON patch that moves               |
        | a JSON patch that tests what is so    |
      And these are refused altogether:
        | a JSON patch that tests what is not so                 |
        | a JSON patch that tests at its end                     |
        | a JSON patch that removes what is not there            |
        | a JSON patch that replaces within what is not there    |
        | a JSON patch that moves what is not there              |
        | a JSON patch that copies from within what is not there |

    Scenario: merge patches
      Given a Secret of two keys, two annotations and two finalizers
      Then these leave of it what they are to leave:
        | a merge patch that adds |
        | a merge patch of null   |
        | a merge patch of a list |

    Scenario: strategic merge patches
      Given a Secret of two keys, two annotations and two finalizers
      Then these leave of it what they are to leave:
        | a strategic patch that adds                               |
        | a strategic patch of null                                 |
        | a strategic patch that puts a map in the place of another |
        | a strategic patch that takes a map away                   |
        | a strategic patch that names what is kept                 |
        | a strategic patch that takes out of a list                |
        | a strategic patch of an order                             |

    Scenario: server-side apply
      Given a Secret of two keys, two annotations and two finalizers
      And two managers, who have applied what both say and what one of them says
      Then what one of them applies leaves what it is to leave:
        | that says the same again                      |
        | that says something else of what is its own   |
        | that says no more what it alone has said      |
        | that says no more what both have said         |
        | that takes over by force what is of the other |
      And what one of them applies is a conflict:
        | that says something else of what the other has said |
        | that says something else of what both have said     |
        | that says something else of what was not applied    |
      And what was taken over by force goes with who took it

    Scenario: conditions of a Node
      Then patches of the conditions of a Node leave of them:
        | a strategic patch of one                            |
        | a strategic patch of a new one, behind the others   |
        | a strategic patch that takes one away               |
        | a strategic patch that puts one in the place of all |
        | a strategic patch of an order                       |
        | a merge patch of one                                |

  @P-552 @MUST
  Rule: What is being deleted is held up by nobody new, and gone when the last has let go

    Why: deleting its Secret revokes a token; whoever could still put a finalizer on it would keep what was to go, and who
    has put one there relies on it until he takes it away.
    Repair, for makers: refuse new finalizers of what is being deleted with 422; remove it when no finalizer is left.

    Scenario: a Secret that two finalizers hold
      Given a Secret that is being deleted, and held by two finalizers
      Then no finalizer is added by:
        | a merge patch |
        | a JSON patch  |
      And a patch does not take back that it is being deleted
      And a patch that takes both away, and is only tried, leaves it there
      And it is there until both are taken away

  @P-559 @MUST
  Rule: A status is written through its own path, and nothing else is

    Why: who may report how a Node or a Pod does may not say what becomes of it; and who writes the whole of it would put
    back what he has seen of its status long ago.
    Repair, for makers: keep the old status in writes of the object, and the old specification in writes of its status.

    Background:
      Given a Node and a Pod on it

    Scenario: the ways there are
      Then these are written:
        | the specification of a Node, by a patch of the Node       |
        | the specification of a Node, by a replacement of the Node |
        | the specification of a Pod, by a patch of the Pod         |
        | the status of a Node, by a patch of its status            |
        | the status of a Node, by a replacement of its status      |
        | the status of a Pod, by a patch of its status             |

    Scenario: the ways there are not
      Then these are left as they were:
        | the specification of a Node, by a patch of its status       |
        | the specification of a Node, by a replacement of its status |
        | the specification of a Pod, by a patch of its status        |
        | the specification of a Pod, by a replacement of its status  |
        | the status of a Node, by a patch of the Node                |
        | the status of a Node, by a replacement of the Node          |
        | the status of a Pod, by a patch of the Pod                  |
        | the status of a Pod, by a replacement of the Pod            |

    @since:1.33
    Scenario: generations
      Then a Pod is of another generation after a change of its specification, and of no other:
        | a patch of its specification | 1 |
        | a patch of its status        | 0 |
        | a patch of its labels        | 0 |
        | a patch that changes nothing | 0 |

  @P-557 @MUST
  Rule: A Pod has the time to end that it was given, and stays what it was made until then

    Why: a kubelet stops what runs in that time, and who empties a Node relies on it; a Pod that becomes another one under
    its kubelet runs as nobody has let it in.
    Repair, for makers: keep the shortest time that was given; end at once what has ended; refuse with 422 what of a Pod
    does not change.

    Background:
      Given a Node that no kubelet keeps
      And a Pod on it that takes its time to end

    Scenario: deletions
      Then one deletion after another gives it time to end:
        | that names            | left |
        | no time               | 300  |
        | 200 seconds           | 200  |
        | no time               | 200  |
        | 100 seconds           | 100  |
        | 200 seconds           | 100  |
        | 50 seconds, in a body | 50   |
        | 0 seconds             | gone |
      And a Pod that has ended goes at once, and one that has not does not
      And a Pod that nobody holds any more has its time to end all the same

    Scenario: evictions
      Then an eviction that is only tried, or of another name, leaves it there
      And an eviction gives it its time to end

    Scenario: changes
      Then of the Pod these may be changed:
        | its image                 |
        | how long it may run       |
        | what it tolerates besides |
      And of the Pod these may not be changed:
        | what it tolerated           |
        | a variable of its container |
        | the rights of its container |
        | its Node                    |
        | its account                 |
        | what makes it a mirror      |

    @since:1.33
    Scenario: its quality of service
      Then its status does not say another quality of service

    Scenario: a second time
      Then it is not bound again, be it to its Node
      And a Pod that is being deleted is not bound

    @since:1.33
    Scenario: generations
      Then its deletion makes it of another generation

    Scenario: mirrors
      Then no mirror is made without a Node, or of a Pod that is none

  @P-384 @MUST
  Rule: A list holds what was asked for, and nothing else

    Why: kubelets read one Secret by its name, kubeadm lists tokens by their type, and signers take the requests of their
    own names; what a list passes over is never signed for, never cleaned away and never seen.
    Repair, for makers: look at every field and label of the query, and at every page.

    Scenario: Secrets
      Given three Secrets, the last of another type
      Then a deletion of all but for those after the first page leaves those
      And a page of what was selected does not say how many come after it
      And a list of Secrets holds those that were asked for:
        | by a name                                                          |
        | by another name than one                                           |
        | by a type                                                          |
        | by a name and a type that it has not                               |
        | by a label                                                         |
        | by two labels                                                      |
        | by a label of several values                                       |
        | by a label that it has not                                         |
        | by a label that it has, of any value                               |
        | by a label that it has not at all                                  |
        | by a label that it has not at all, and others have without a value |
        | by another value than one, of a label that not all have            |
        | by other values than some, of a label that not all have            |
        | by a number that is greater                                        |
        | by a number that is less                                           |
        | page by page                                                       |
        | two to a page                                                      |
        | by another type than one, page by page                             |
        | by a label that it has not, page by page                           |
      And a page of one that was asked for by its name is the last

    Scenario: Nodes
      Given a Node that no kubelet keeps
      Then a list of Nodes that are not closed holds it, and one of those that are does not

    Scenario: pages
      Given three Secrets, the last of another type
      Then a list that is read page by page holds what was there for its first page

    Scenario: pages of another list
      Then a list of one namespace that goes on where one of all namespaces has stopped holds nothing of another

    Scenario: certificate requests
      Then a list of certificate requests of one signer holds those of that signer
      And a list of certificate requests by who has asked is refused

  @P-558 @MUST
  Rule: An answer says what it is about, and why it is refused

    Why: kubeadm, kubelets and controllers act by reasons, names and UIDs, and not by messages: who is told that something
    is there, or gone, and not what, writes over what others have made.
    Repair, for makers: put reason, name, group, resource or kind, and UID into each Status.

    Scenario: refusals
      Given two Secrets, one of them held, and a certificate request
      Then who is refused is told of what, and why:
        | a look at a Secret that nobody has                  |
        | a patch of a Secret that nobody has                 |
        | a deletion of a certificate request that nobody has |
        | a Secret that is there, made again                  |
        | a Secret that is being deleted, made again          |
        | a patch of another version of a Secret              |
        | a Secret of another type than it was made of        |
        | a look by somebody who may not look                 |
        | a look in a form that was given up                  |

    Scenario: deletions
      Given two Secrets, one of them held, and a certificate request
      Then who deletes is told what has gone, or waits:
        | a deletion of a Secret                                              |
        | a deletion of a certificate request                                 |
        | a deletion of a Secret that is held                                 |
        | a deletion of a Secret that is held, which takes along what it owns |
      And who deletes an account is told all of it

    @since:1.25
    Scenario: warnings
      Then who is refused is warned of what nobody knows, too
      And who writes what is given up is warned of it, and nobody else is

  @P-560 @MUST
  Rule: A list is of the version that was asked for, or refused

    Why: whoever lists at the version that another one has told of, or goes on where he has stopped, acts on what was so;
    told of another version he takes what was deleted for there, and what is new for gone.
    Repair, for makers: look at resourceVersion, resourceVersionMatch and continue together, and answer 504 to a version
    that is still to come.

    Scenario: versions
      Given a Secret of two versions
      Then a list holds the Secret as it was or is:
        | match        | version | holds  |
        | Exact        | before  | before |
        | Exact        | now     | now    |
        | NotOlderThan | before  | now    |
        | NotOlderThan | now     | now    |
        |              | now     | now    |
      And a list is refused that is asked for:
        | of a version that is still to come       |
        | of a version that is soon to come        |
        | of a next page and of a version          |
        | of a next page that is none              |
        | of exactly a version that is none        |
        | of exactly no version                    |
        | of exactly the version 0                 |
        | of a version that is met in another word |
        | by a field that is none                  |
        | by a selector that cannot be read        |
      And a list of any version is told at once, however few are asked for

  @P-562 @MUST
  Rule: What is written is held to be of who wrote it

    Why: an apply takes away what its manager says no more, and is refused what is of another one: kubelets and operators
    that keep parts of a Node or a Pod go by who holds what.
    Repair, for makers: name the manager of each write, or its user agent up to a slash, how it wrote and through which
    path; let no apply say it itself.

    Scenario: a Pod that several write to
      Given a Pod that somebody keeps
      Then these are held to be of who wrote them:
        | a patch in a name      |
        | a patch of a client    |
        | a patch of its status  |
        | an apply               |
        | an apply of its status |
      And an apply that says itself who keeps what is refused

    Scenario: a Secret that more have written to than are held
      Given a Secret that twelve managers have written to
      Then the latest of them are held, and the others are held as one
      And who puts one of nothing in their place leaves none
      And who applies what is of another is told of whom it is, and where
      And who first applies what nobody has written to is not all that has

    Scenario: a status that is applied
      Then who applies less of a status than he has takes that away, and nothing else

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
      And it is there as long as what is in it, and goes under its own UID and version alone
      But what is in it may still be changed

    Scenario: a namespace that is there, and one that is not
      Then nothing is made in a namespace that nobody has
      And a patch of a namespace leaves it what holds it until it is empty

  @P-366 @MUST
  Rule: A watch tells what has happened since the version that it names

    Why: whoever lists and then watches, as every kubelet that waits for its certificate does, misses what came between.
    Repair, for makers: tell every change after the version that was asked for, in order.

    Scenario: a Secret that is made, changed and deleted after a list
      Given a list, and a Secret that was made, changed and deleted since
      Then a watch of it begins with:
        | from            | what     | of                    |
        | the list on     | ADDED    |                       |
        | its creation on | MODIFIED | its change            |
        | its change on   | DELETED  | later than its change |
        | its deletion on | nothing  |                       |

    Scenario: a Secret that leaves what is watched, and comes back
      Given a Secret that has lost its label, got it again, and was then changed to what it is
      Then a watch by that label begins with:
        | from            | what    | of         |
        | its creation on | DELETED | the loss   |
        | the loss on     | ADDED   | its return |
        | its return on   | nothing |            |
        | no version      | ADDED   | its return |
        | any version     | ADDED   |            |
      And a watch by that label, from its creation on, begins with:
        | in                | what    |
        | all namespaces    | DELETED |
        | another namespace | nothing |

    Scenario: a Secret that leaves what is watched, and is then deleted
      Given a Secret that has lost its label, and was then deleted
      Then a watch by that label begins with:
        | from            | what    | of       |
        | its creation on | DELETED | the loss |
        | the loss on     | nothing |          |

    @since:1.34
    Scenario: a watch that begins with what is there
      Then a watch that begins with nothing says where that ends

  @P-547 @MUST
  Rule: What is written has a form, and how it is meant is said in known words

    Why: an owner without a UID, two that both control it or a finalizer that nobody is behind ends an object too early, or
    never; and who has misspelled a dry run has written.
    Repair, for makers: look at the metadata and the options of every write and deletion, and refuse with 422 what does not
    fit.

    Scenario: metadata
      Then a Secret may be made with:
        | nothing in particular                           |
        | an owner that controls it and one that does not |
        | a finalizer of a domain                         |
        | annotations of 256 KiB                          |
        | a label of 63 characters                        |
      And no Secret may be made with:
        | two owners that control it               |
        | an owner without a UID                   |
        | an owner without a name                  |
        | an owner without a kind                  |
        | an owner without a version               |
        | an Event for an owner                    |
        | a finalizer of no domain                 |
        | both finalizers of the garbage collector |
        | annotations of a byte more               |
        | an annotation of a key with two slashes  |
        | a label of 64 characters                 |
        | a label of a key with two slashes        |
        | a name in capitals                       |
        | a name that ends in a hyphen             |

    Scenario: Secrets of known types
      Then a Secret may be made that is:
        | the token of an account                         |
        | a certificate and its key                       |
        | a name without its password                     |
        | a password without its name                     |
        | a key of SSH                                    |
        | logins of registries                            |
        | logins of registries, as they were written once |
      And no Secret may be made that is:
        | the token of no account                                             |
        | a certificate without its key                                       |
        | a key without its certificate                                       |
        | neither a name nor a password                                       |
        | no key of SSH                                                       |
        | no logins of registries                                             |
        | no logins of registries, as they were written once                  |
        | logins of registries that cannot be read                            |
        | logins of registries that cannot be read, as they were written once |

    Scenario: names that are made
      Then names that are made begin as they were asked for, and fit

    Scenario: Nodes
      Then a Node may be made with:
        | a taint of each effect |
        | a range of each family |
      And no Node may be made with:
        | a taint of an effect of nobody      |
        | a taint of no key                   |
        | a taint of a value of 64 characters |
        | one taint twice                     |
        | a range that is none                |
        | two ranges of one family            |
        | three ranges                        |

    Scenario: what a Node is told twice
      Then the range of a Node is the first of its ranges

    Scenario: what a Node is told once
      Then of a Node these are not changed, once they are said:
        | the name that a provider has for it |
        | its ranges                          |

    Scenario: Leases
      Then a Lease may be made with:
        | a holder                |
        | as many holders as none |
      And no Lease may be made with:
        | fewer holders than none  |
        | a time of no seconds     |
        | a time of less than none |

    Scenario: how it is meant
      Then of a Secret that nobody has nothing is found by:
        | a patch                                |
        | a replacement                          |
        | a deletion                             |
        | a deletion in the background           |
        | a patch by a manager of 128 characters |
      And of a Secret that nobody has these are refused:
        | a patch that is tried in another word                    |
        | a replacement that is tried in another word              |
        | a deletion that is tried in another word                 |
        | a deletion that is tried in a known word and another     |
        | a patch that is tried in a known word and another        |
        | a deletion by a policy that nobody knows                 |
        | a deletion that says twice what becomes of what is owned |
        | a patch by a manager of 129 characters                   |
        | a patch by a manager with a line break                   |
        | a merge patch by force                                   |
        | an apply by nobody                                       |

    @since:1.25
    Scenario: what nobody knows
      Then what nobody knows is not written, where that is asked for, by:
        | a merge patch     |
        | a strategic patch |
        | a JSON patch      |

  @P-566 @MUST
  Rule: What is sent is completed as it is meant

    Why: kubelets run Pods, and namespaces end, by what the API server has added to what was sent, and by nothing that
    whoever sent it has seen.
    Repair, for makers: complete what is made by the defaults of its kind, and keep of it what its kind keeps.

    Scenario: what is made
      Then of these is made what they are meant to be:
        | a namespace with a finalizer                        |
        | an account that says more than names of its Secrets |
        | a Node that says what its machine has               |
        | a Pod of limits                                     |
        | a Pod of one limit                                  |
        | a Pod of a request                                  |
        | a Pod of no limits                                  |
        | a Pod that mounts what it has where tokens are      |
        | a Pod that mounts something elsewhere               |
        | a Pod with an init container                        |
        | a Pod that is let onto Nodes that are not ready     |
        | a Secret whose data stand in lines                  |
        | a Lease that was renewed within a second            |

    Scenario: what is written or listed otherwise
      Then of these is made what they are meant to be:
        | a Secret that is applied                                |
        | a Node that is closed to what runs on it                |
        | a namespace whose finalizers are put with another phase |
        | a request of somebody of whom much is known |
        | a request of somebody among those who are not known |
        | a list by a name in capitals                            |
        | a list of roles of all namespaces by a namespace        |

    Scenario: how images are pulled
      Then a Pod pulls images by the Secrets of its account, unless it has its own

    @since:1.25
    Scenario: what nobody knows
      Then of these is made what they are meant to be:
        | a Secret of a field that nobody knows |
        | a patch of a field that nobody knows  |

  @P-567 @MUST
  Rule: What does not fit is refused, and it is said what

    Why: what nobody refuses is held, and found wrong by a kubelet, a driver or a controller, long after whoever wrote it
    has gone.
    Repair, for makers: validate each kind as a whole, and name the field that is wrong.

    Scenario: what does not fit
      Then these are refused, each for what is wrong with it:
        | a Lease of no version, put in the place of another |
        | a CSINode of one driver twice                      |
        | an Event about a Secret of another namespace       |
        | an Event about a Node, in kube-public              |
        | a token of an account for no seconds               |
        | a JSON patch of 10001 operations                   |
        | an apply of a UID that nobody has                  |
        | a look at a version that is still to come          |
        | a Pod of an account that nobody has                |
        | a Pod that says itself how urgent it is            |
        | a Secret of no name, put in the place of one       |
        | a list of Leases by what they hold                 |
        | a list that is to begin with what is there         |
        | a list by a number that is a word                  |
        | a list within a time that is none                  |
        | a Secret of another namespace, put into the place of one |
        | a status of a namespace, of a version of long ago |
        | a namespace that is said to end                    |
        | a list by a field of an escape that is none        |

    @since:1.25
    Scenario: what is said twice
      Then these are refused, each for what is wrong with it:
        | a patch that says one thing twice, where that is refused |

    @since:1.32
    Scenario: reviews by labels
      Then these are refused, each for what is wrong with it:
        | a review by a label that is there, with values  |
        | a review by labels that are written in two ways |

  @P-391 @SHOULD
  Rule: What is owned goes with its last owner, and what every namespace has comes back

    Why: the keys of the cluster in kubeadm-certs go with the token that owns them, and nothing else ends them; Pods of a
    namespace find the API server by its root certificates, and run as its account.
    Repair: take garbagecollector, root-ca-certificate-publisher-controller and serviceaccount-controller into --controllers
    of kube-controller-manager.

    Scenario: owners
      Given ConfigMaps that others own
      When the first owner is deleted
      Then these are soon gone:
        | the one of the first owner                       |
        | the one of an owner of that name and another UID |
        | the one of a Node that nobody has                |
      And these stay:
        | the one of both owners      |
        | the one of the second owner |

    Scenario: an owner that goes without what it owns
      Given ConfigMaps that others own
      When the first owner is deleted without what it owns
      Then the first owner is soon gone
      And these are there, and no more of the first owner:
        | the one of the first owner |
        | the one of both owners     |

    Scenario: an owner that goes after what it owns
      Given ConfigMaps that others own
      When the first owner is deleted after what it owns
      Then the first owner is soon gone
      And these are gone with it:
        | the one of the first owner |
      And these stay:
        | the one of both owners      |
        | the one of the second owner |

    Scenario: an owner that waits for nobody who does not hold it up
      Given ConfigMaps that others own, one of them held
      When the first owner is deleted after what it owns
      Then the first owner is soon gone
      And these stay:
        | the one of the first owner, held |

    Scenario: an owner that waits for what holds it up
      Given ConfigMaps that others own, one of them held, and to be waited for
      When the first owner is deleted after what it owns
      Then the first owner is there until what it owns is gone, and then goes

    Scenario: an owner that is to go after what it owns, or without it
      Then an owner whose deletion is tried waits for what is to be done about what it owns:
        | deletion                               | finalizer          |
        | in the foreground                      | foregroundDeletion |
        | without what it owns                   | orphan             |
        | without what it owns, in the old words | orphan             |
        | in the background                      | none               |
        | with what it owns, in the old words    | none               |

    Scenario: a new namespace
      Given a namespace that was made now
      Then its root certificates are soon there again, once somebody has changed them
      And its account is soon there again, once somebody has deleted it
