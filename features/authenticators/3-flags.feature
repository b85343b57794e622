Feature: Flags of authenticators

  Each authenticator has a flag that gives it what it needs to know people by. Without its flag it is not there, and with
  it nobody else is known by it than the flag says. API servers of ours are started with sets of flags, side by side.

  @APIAUTH-007 @MUST @since:1.28
  Rule: Static tokens are known where a token file is given, and nowhere else

    Why: tokens that are known without a file are known to everybody who has read the program.
    Repair, for makers: look at static tokens where --token-auth-file is given alone.

    Scenario: with a file
      Given an API server of ours "with a token file"
      Then there one is who shows:
        | a token of three columns         | alice of 1000 |
        | a bootstrap token                | itself        |
        | a token of the file, in capitals | refused       |

    Scenario: without one
      Given an API server of ours "without bootstrap tokens"
      Then there one is who shows:
        | a token of three columns          | refused              |
        | a token that it has issued itself | that service account |

    Scenario: on whatever API server has none
      Given an API server that looks at no "static tokens"
      Then a bearer is refused that shows:
        | the first column of the document | 31ada4fd-adec-460c-809a-9e56ceb75269 |
        | a token of every tutorial        | 02b50b05283e98dd0fd71db496ef01e8     |
        | a word                           | token                                |

  @APIAUTH-008 @MUST @since:1.28
  Rule: A line of the token file is a token, a user name, a UID and perhaps groups

    Why: with the columns of another file somebody's name is everybody's token.
    Repair: write token,user name,user uid,"group,group" in each line, and each token once.
    Repair, for makers: read the file as CSV, split the fourth column at commas and leave blanks as they are; of two
    lines of one token the last counts.

    Scenario: its columns
      Given an API server of ours "with a token file"
      Then there one is who shows:
        | a token of three columns           | alice of 1000                          |
        | a token of four columns            | bob of 1001 in ["auditors"," readers"] |
        | a token of two lines               | carla of 1004 in ["readers"]           |
        | the user name of a line as a token | refused                                |
        | the UID of a line as a token       | refused                                |

    Scenario: on whatever API server has one
      Given an API server that looks at "static tokens"
      Then a bearer is refused that shows the name of a user whom bindings name

  @APIAUTH-009 @MUST @since:1.28
  Rule: Who shows a token of the file is the user of its line

    Why: permissions are bound to that name, and a token that is nearly right is another one.
    Repair, for makers: compare the whole token, and name the user by its line alone.

    Scenario: whole, and not quite
      Given an API server of ours "with a token file"
      Then there one is who shows:
        | a token of three columns                    | alice of 1000 |
        | a token of the file without its last letter | refused       |
        | a token of the file and a letter            | refused       |

    Scenario: for whom it is
      Given an API server of ours "with a token file"
      Then there a review tells who shows a token of three columns, and of nobody for another audience

    Scenario: on whatever API server has one
      Given an API server that looks at "static tokens"
      Then a bearer is refused that shows a letter or a digit alone

  @APIAUTH-014 @MUST @since:1.28
  Rule: Certificates of clients are looked at where a CA for clients is given, and nowhere else

    Why: without a CA any certificate is as good as another.
    Repair: give --client-ca-file the CA that signs for clients, and no other.
    Repair, for makers: look at no certificate where no CA is given, and ask for none.

    Scenario: with a CA
      Given an API server of ours "with a CA of its own for clients"
      Then there one is who shows:
        | a certificate of that CA | dora in ["team", "Leads"] |

    Scenario: without one
      Given an API server of ours "without a CA for clients"
      Then there one is who shows:
        | a certificate of that CA | a stranger    |
        | a token of three columns | alice of 1000 |

    Scenario: on whatever API server has one
      Given an API server that looks at "client certificates"
      Then a certificate of a stranger is refused

    Scenario: on whatever API server has none
      Given an API server that looks at neither "client certificates" nor "front proxies"
      Then a certificate of a stranger says as little as none

  @APIAUTH-017 @MUST @since:1.28
  Rule: A certificate counts in its time, for clients, and under the CA that is given

    Why: a certificate that has ended was perhaps taken from somebody.
    Repair, for makers: verify the chain with the CA's key, the times and the extended key usage.

    Scenario: what may be wrong with one
      Given an API server of ours "with a CA of its own for clients"
      Then there one is who shows:
        | a certificate of that CA                | dora in ["team", "Leads"] |
        | a certificate of that CA, expired       | refused                   |
        | a certificate of that CA, not yet valid | refused                   |
        | a certificate of that CA for servers    | refused                   |
        | a certificate of that CA without a name | refused                   |
        | a certificate of a CA of the same name  | refused                   |

    Scenario: what it is for, and what else it says
      Given an API server of ours "with a CA of its own for clients"
      Then there one is who shows:
        | a certificate of that CA for servers and clients     | dora in ["team", "Leads"]                        |
        | a certificate of that CA for servers and mail        | refused                                          |
        | a certificate of that CA for whatever use            | dora in ["team", "Leads"]                        |
        | a certificate of that CA without a use               | dora in ["team", "Leads"]                        |
        | a certificate of that CA of four groups              | dora in ["team", "Leads", "a third", "a fourth"] |
        | a certificate of that CA with a unit                 | dora in ["team", "Leads"]                        |
        | a certificate of that CA for a host                  | dora in ["team", "Leads"]                        |
        | a certificate of that CA that says what nobody knows | refused                                          |

    @since:1.33
    Scenario: a UID in it
      Given an API server of ours "with a CA of its own for clients"
      Then there one is who shows:
        | a certificate of that CA with a UID    | dora of 78 in ["team", "Leads"] |
        | a certificate of that CA with two UIDs | refused                         |

    Scenario: authorities between
      Given an API server of ours "with a CA of its own for clients"
      Then there one is who shows:
        | a certificate of a CA below that CA                                 | dora in ["team", "Leads"] |
        | a certificate of a CA below one below that CA                       | dora in ["team", "Leads"] |
        | a certificate of a CA below that CA, which stays at home            | refused                   |
        | a certificate of a CA below that CA, which has expired              | refused                   |
        | a certificate of a CA below that CA, which is not yet valid         | refused                   |
        | a certificate of a CA below that CA, which is for servers           | refused                   |
        | a certificate of a CA below that CA, which may sign no certificates | refused                   |
        | a certificate of a client of that CA                                | refused                   |
        | a certificate of a CA below one that may have none below it         | refused                   |

  @APIAUTH-021 @MUST @since:1.28
  Rule: Keys for tokens of service accounts may be several, RSA or ECDSA, public or private

    Why: a key is replaced by adding the new one beside the old one.
    Repair: give --service-account-key-file each key that signs or has signed.
    Repair, for makers: read every key of every file, and no other.

    Scenario: two files
      Given an API server of ours "with other keys, issuers and audiences"
      Then there one is who shows:
        | a token of the RSA key                | that service account |
        | a token of the second key in a file   | that service account |
        | a token of the key in the second file | that service account |
        | a token without a key id              | that service account |
        | a token of a key in no file           | refused              |
        | a token that it has issued itself     | refused              |

  @APIAUTH-018 @MUST
  Rule: The API server is given its serving certificate and the key

    Why: a pair that it makes itself is trusted by nobody, and another one after each start.
    Repair: give kube-apiserver --tls-cert-file and --tls-private-key-file.

    Scenario: its flags
      Given kube-apiserver publishes its flags
      Then the flag "tls-cert-file" of kube-apiserver, where it is published, is given
      And the flag "tls-private-key-file" of kube-apiserver, where it is published, is given

  @APIAUTH-020 @MUST @since:1.28
  Rule: The flags for service accounts say whose tokens count, and for whom

    Why: a token that another cluster has signed, or one for another audience, is no credential here.
    Repair: give --service-account-key-file, --service-account-issuer and --api-audiences what belongs to this cluster.
    Repair, for makers: compare each claim with the flags once the signature was verified.

    Scenario: what is published
      Given kube-apiserver publishes its flags
      Then the flag "service-account-key-file" of kube-apiserver, where it is published, is given
      And the flag "service-account-issuer" of kube-apiserver, where it is published, is given

    Scenario: issuers and audiences
      Given an API server of ours "with other keys, issuers and audiences"
      Then there one is who shows:
        | a token of the second issuer           | that service account |
        | a token for the second audience        | that service account |
        | a token for no audience                | that service account |
        | a token for the issuer as its audience | refused              |
        | a token of it for another audience     | refused              |
        | a token of it of another issuer        | refused              |

    Scenario: signed as it should be, and wrong in something else
      Given an API server of ours "with other keys, issuers and audiences"
      Then there one is who shows:
        | a token of the second key in a file                    | that service account |
        | a token of it of no issuer                             | refused              |
        | a token of it of the issuer with a slash behind it     | refused              |
        | a token of it for an audience that is a number         | refused              |
        | a token of it for the audience in capitals             | refused              |
        | a token of it of the issuer with a zero behind it      | refused              |
        | a token of it whose end is beyond all dates            | refused              |
        | a token of it of the account in capitals               | refused              |
        | a token of it whose claims are said not to be encoded  | refused              |
        | a token of it that has ended                           | refused              |
        | a token of it that ended in 1970                       | refused              |
        | a token of it whose end is a word                      | refused              |
        | a token of it that begins later                        | refused              |
        | a token of it issued in the future                     | refused              |
        | a token of it of no account                            | refused              |
        | a token of it of an account that nobody has            | refused              |
        | a token of it of an earlier account of that name       | refused              |
        | a token of it of an account without its UID            | refused              |
        | a token of it of that account in another namespace     | refused              |
        | a token of it bound to a Pod that nobody has           | refused              |
        | a token of it bound to a Secret that nobody has        | refused              |
        | a token of it bound to a Node that nobody has          | refused              |
        | a token of it of the algorithm none                    | refused              |
        | a token of it of the algorithm HS256                   | refused              |
        | a token of it of an algorithm of another kind of key   | refused              |
        | a token of it of an algorithm in small letters         | refused              |
        | a token of it of the key id of nobody                  | refused              |
        | a token of it of a key id that is a path               | refused              |
        | a token of it of a key id that is a list               | refused              |
        | a token of it under a critical field that nobody knows | refused              |

  @APIAUTH-025 @MUST @since:1.28
  Rule: Lookup that is off spares tokens of Secrets the lookup, and no others

    Why: with lookup off a token of a Secret can not be taken back, and whoever has it has it for ever.
    Repair: leave --service-account-lookup on.
    Repair, for makers: let the flag spare tokens of Secrets alone; bound tokens are always looked up.

    Scenario: off
      Given an API server of ours "with lookup off"
      Then there one is who shows:
        | a token of a Secret that nobody has             | that service account |
        | a token of it of an account that nobody has     | refused              |
        | a token of it bound to a Secret that nobody has | refused              |
        | a token of that Secret for another audience     | refused              |

  @APIAUTH-027 @MUST @since:1.28
  Rule: The token of a Secret is the one that lies in it

    Why: a token that was replaced in its Secret was taken back.
    Repair: leave --service-account-lookup on.
    Repair, for makers: compare the token with the one in the Secret, byte by byte.

    Scenario: and what is not
      Given an API server of ours "with other keys, issuers and audiences"
      Then there one is who shows:
        | the token in a Secret                                    | that service account |
        | another token of that Secret                             | refused              |
        | a token of a Secret that nobody has                      | refused              |
        | the token in a Secret that is marked as invalid          | refused              |
        | a token of that Secret of no namespace                   | refused              |
        | a token of that Secret of no UID                         | refused              |
        | a token of that Secret of another account as its subject | refused              |

    Scenario: a Secret that is deleted, on whatever cluster fills them
      Given a service account whose token lies in a Secret
      Then its bearer is that service account
      When the Secret that it lies in is deleted
      Then the token is refused once the deletion counts

    Scenario: a token that is replaced in its Secret, on whatever cluster fills them
      Given a service account whose token lies in a Secret
      Then its bearer is that service account
      When another token of the account is put into its Secret
      Then the token is refused once the deletion counts

    Scenario: a Secret that is being deleted, on whatever cluster fills them
      Given a service account whose token lies in a Secret
      Then its bearer is that service account
      When the Secret that it lies in is being deleted, held by a finalizer
      Then the token is refused once the deletion counts

    Scenario: an account that is being deleted, on whatever cluster fills them
      Given a service account whose token lies in a Secret
      Then its bearer is that service account
      When the service account is being deleted, held by a finalizer
      Then the token is refused once the deletion counts

  @APIAUTH-030 @MUST @since:1.28
  Rule: There is an authenticator for each flag, and no other

    Why: who is known without a flag is known to nobody who reads the flags.
    Repair: take flags away that nobody needs.
    Repair, for makers: build an authenticator for each flag that is given.

    Scenario: without bootstrap tokens
      Given an API server of ours "without bootstrap tokens"
      Then there one is who shows:
        | a bootstrap token                 | refused              |
        | a token of three columns          | refused              |
        | a token that it has issued itself | that service account |

    Scenario: with a front proxy
      Given an API server of ours "with a front proxy"
      Then there one is who shows:
        | its headers, as the proxy                                         | erin in ["proxied"]                                                                         |
        | its headers of the second names, as the proxy                     | erin in ["proxied"]                                                                         |
        | its headers of both names, as the proxy                           | erin in ["proxied"]                                                                         |
        | its header of two users, as the proxy                             | erin in ["proxied"]                                                                         |
        | its headers, as a client of that CA of its name in capitals       | refused                                                                                     |
        | its headers and a bearer token, as the proxy                      | erin in ["proxied"]                                                                         |
        | its headers of two groups, as the proxy                           | erin in ["proxied", "others"]                                                               |
        | its headers of the group of administrators, as the proxy          | erin in ["system:masters"]                                                                  |
        | its headers of three groups of one name, as the proxy             | erin in ["proxied", "others", "Third"]                                                      |
        | its headers of two groups, one with a comma, as the proxy         | erin in ["proxied", "others,more"]                                                          |
        | its headers and those of extra, as the proxy                      | erin in ["proxied"] with {"joinproof.example/why":["as such"],"reason":["joinproof","a,b"]} |
        | its headers, as the proxy with a certificate of a CA below its CA | erin in ["proxied"]                                                                         |
        | its headers, as a client of a CA whose name the proxy has         | refused                                                                                     |
        | its headers, as another client of that CA                         | refused                                                                                     |
        | its headers, as a client of that CA of a longer name              | refused                                                                                     |
        | its headers, as a client of that CA of a shorter name             | refused                                                                                     |
        | its headers, as a client of that CA of that name and another      | refused                                                                                     |
        | its headers, as the proxy with an expired certificate             | refused                                                                                     |
        | its headers, as the proxy with a certificate for servers          | refused                                                                                     |
        | its headers, as a client of that name and another CA              | refused                                                                                     |
        | a group without a user, as the proxy                              | refused                                                                                     |
        | its headers, as nobody                                            | a stranger                                                                                  |
        | its headers, as the administrator                                 | the administrator                                                                           |

    @since:1.33
    Scenario: with a front proxy that tells UIDs
      Given an API server of ours "with a front proxy"
      Then there one is who shows:
        | its headers with a UID, as the proxy | erin of 77 in ["proxied"] |

    Scenario: who is nobody
      Then strangers are heard as its flags say, where it publishes them
      And a bearer is refused that shows:
        | a word | nosuchtoken |

    Scenario: a bootstrap token where none is looked at
      Given an API server that looks at no "bootstrap tokens"
      And a bootstrap token
      When 1 second has passed
      Then its bearer is refused at a door that the administrator passes

  @APIAUTH-035 @MUST @since:1.28
  Rule: As few authenticators as there can be judge as many do

    Why: a union of few must not change a refusal into something else.
    Repair, for makers: ask whoever there is, and end with 401 where nobody knows the token.

    Scenario: tokens alone
      Given an API server of ours "without a CA for clients"
      Then there one is who shows:
        | a token of three columns              | alice of 1000 |
        | a certificate and a token of the file | alice of 1000 |
        | the UID of a line as a token          | refused       |
        | nothing                               | a stranger    |

    Scenario: a certificate beside a token
      Given an API server of ours "with a CA of its own for clients"
      Then there one is who shows:
        | a certificate and a token of the file          | dora in ["team", "Leads"] |
        | an expired certificate and a token of the file | alice of 1000             |

  @APIAUTH-038 @MUST @since:1.28
  Rule: Who shows nothing is refused where strangers are

    Why: --anonymous-auth is how an administrator shuts the door to everybody who has no credential.
    Repair: set --anonymous-auth to false, or name the paths in AuthenticationConfiguration.
    Repair, for makers: answer 401 where no authenticator knows anybody and strangers are not heard at that path.

    Scenario: nowhere
      Given an API server of ours "without strangers"
      Then there a stranger is refused at:
        | /livez   |
        | /readyz  |
        | /version |
        | /api     |
        | /healthz |
      And there one is who shows:
        | a token that it has issued itself | that service account |

    @since:1.32
    Scenario: at two paths
      Given an API server of ours "with strangers at /livez and /readyz alone"
      Then there a stranger is heard at:
        | /livez  |
        | /readyz |
      And there a stranger is refused at:
        | /healthz    |
        | /version    |
        | /livez/ping |
        | /           |
        | /api        |

    @since:1.32
    Scenario: nowhere, by configuration
      Given an API server of ours "without strangers by its configuration"
      Then there a stranger is refused at:
        | /livez   |
        | /version |
      And there one is who shows:
        | a token that it has issued itself | that service account |

    Scenario: wherever none is heard
      Given an API server that looks at no "strangers"
      Then a stranger is refused with 401 at:
        | /healthz                                               |
        | /openapi/v2                                            |
        | /api/v1/namespaces/kube-public/configmaps/cluster-info |
        | /api/v1/namespaces/kube-system/secrets                 |
        | /apis/authorization.k8s.io                             |
