Feature: Names and passwords

  Until 1.18 an API server knew people by a file of passwords. Those that have no such file, and every one since, know
  nobody by a name and a password. What the file means is judged with an API server of ours that still has one.

  @APIAUTH-001 @MUST
  Rule: Names and passwords are known where a file of them is given, and nowhere else

    Why: a name and a password of every tutorial would open the cluster to whoever has read it.
    Repair: take the file away; give people certificates, or tokens of an identity provider.
    Repair, for makers: look at names and passwords where --basic-auth-file is given alone.

    @since:1.28
    Scenario: with a file
      Given an API server of ours "with a file of passwords"
      Then there one is who shows:
        | a user name and its password | grace of 2000 |

    @since:1.28
    Scenario: without one
      Given an API server of ours "with a token file"
      Then there one is who shows:
        | a user name and its password | a stranger    |
        | a token of three columns     | alice of 1000 |

    Scenario: on whatever API server there is
      Then a name and a password say as little as nothing:
        | admin      | admin      |
        | admin      | password   |
        | root       | root       |
        | kubernetes | kubernetes |
        | kubelet    |            |

  @APIAUTH-002 @MUST @since:1.28
  Rule: A line of the file is a password, a user name, a UID and perhaps groups

    Why: with the columns of another file somebody's name is everybody's password.
    Repair: write password,user name,user uid,"group,group" in each line, and each name once.
    Repair, for makers: read the file as CSV, split the fourth column at commas; of two lines of one name the last counts.

    Scenario: its columns
      Given an API server of ours "with a file of passwords"
      Then there one is who shows:
        | a user name and its password                           | grace of 2000                            |
        | the same in a line of four columns                     | heidi of 2001 in ["auditors"," readers"] |
        | the same in the second line of that name               | judy of 2004 in ["readers"]              |
        | the same in the first line of that name                | refused                                  |
        | the password as the name, and the name as the password | refused                                  |
        | the UID of a line and its password                     | refused                                  |

  @APIAUTH-003 @MUST @since:1.28
  Rule: A header that shows no name and password is left to the others

    Why: a token is refused that another authenticator would know, or a mistake is hidden.
    Repair, for makers: say nothing of a header without two parts, with another scheme, or that does not decode.

    Scenario: other schemes, and less than two parts
      Given an API server of ours "with a file of passwords"
      Then there one is who shows:
        | a token of three columns             | alice of 1000 |
        | the same with the scheme in capitals | grace of 2000 |
        | the same with another scheme         | a stranger    |
        | the same, not encoded                | a stranger    |
        | the scheme alone                     | a stranger    |
        | nothing                              | a stranger    |

  @APIAUTH-005 @MUST @since:1.28
  Rule: What is shown is decoded from base64, and split at its first colon

    Why: whoever splits at every colon compares half of a password.
    Repair, for makers: decode, and take everything behind the first colon for the password.

    Scenario: a password with colons
      Given an API server of ours "with a file of passwords"
      Then there one is who shows:
        | a password that holds colons         | ivan of 2002 |
        | that password up to its first colon  | refused      |
        | that password without its last colon | refused      |

  @APIAUTH-006 @MUST @since:1.28
  Rule: The name and the password are those of one line

    Why: a name is no secret.
    Repair, for makers: compare the whole password with that of the name's own line.

    Scenario: nearly right
      Given an API server of ours "with a file of passwords"
      Then there one is who shows:
        | a user name and its password             | grace of 2000 |
        | a user name alone                        | refused       |
        | a user name and somebody else's password | refused       |
        | a user name that nobody has              | refused       |
        | a user name in capitals                  | refused       |
        | a password without its last letter       | refused       |
        | a password in capitals                   | refused       |

  @APIAUTH-037 @SHOULD
  Rule: Who is refused is asked for a name and a password where they are looked at, and nowhere else

    Why: a browser that is asked sends what its user types, to a server that cannot use it.
    Repair: take away what stands before the API server and asks for passwords.
    Repair, for makers: answer 401 with a challenge of the scheme Basic where --basic-auth-file is given alone.

    @since:1.28
    Scenario: with a file
      Given an API server of ours "with a file of passwords"
      Then who is refused is asked for a name and a password

    Scenario: on whatever API server there is
      Then who is refused is asked for no password
