Feature: Toys that show how a scenario may end

  @TOY-01 @MUST
  Rule: What is as demanded passes
    Why: somebody has to.
    Repair: nothing,
      over two lines.

    Scenario: one observation
      Given a toy that is "sound"

    @until:1.20
    Scenario: of another release
      Given a step that crashes

  @TOY-02 @MUST
  Rule: What is not as demanded fails
    Why: it is broken.
    Repair: mend it.

    Scenario Outline: a <state> toy
      Given a toy that is "<state>"
      Then this step is never reached

      Examples:
        | state   |
        | broken  |
        | missing |

  @TOY-03 @SHOULD
  Rule: What cannot be found out is an error
    Why: it is not known.
    Repair: look closer.

    Scenario: a crash
      Given a step that crashes

    Scenario: a positive control that fails
      Given a positive control that fails

    Scenario: a target that is gone
      Given a target that is gone

  @TOY-04 @SHOULD
  Rule: Steps that nobody wrote
    Why: they are forgotten.
    Repair: write them.

    Scenario: undefined
      Given a toy that is "sound"
      Then nobody has defined this

    Scenario: ambiguous
      Given two definitions of one sentence

    Scenario: undefined, where the target lacks something
      Given a toy that has variants
      Then nobody has defined this either

  @TOY-05 @MAY
  Rule: Nothing to judge
    Why: there is nothing.
    Repair: nothing.

    Scenario: no object
      Given no toys at all

    Scenario: no ability
      Given a toy that has variants
      And a step that crashes

    @since:1.40
    Scenario: a version to come
      Given a step that crashes

  @TOY-06 @MUST
  Rule: A pass that looked at nothing is none
    Why: it proves nothing.
    Repair: look.

    Scenario: no observation
      Given a step that looks at nothing

  @TOY-07 @MUST
  Rule: Some scenarios are skipped
    Why: partly.
    Repair: none.

    Scenario: looked at
      Given a toy that is "sound"

    Scenario: no ability
      Given a toy that has variants

    @until:1.20
    Scenario: not any more
      Given a step that crashes

  @TOY-08 @MUST
  Rule: Waits are side by side
    Why: time is short.
    Repair: none.

    Scenario Outline: waiting <turn>
      Given a toy that is "sound"
      When 30 milliseconds have passed
      Then a table of:
        | name | value |
        | a    | 1     |

      Examples:
        | turn   |
        | first  |
        | second |
        | third  |

    Scenario Outline: alone <turn>
      Given the toy is mine alone for 10 milliseconds

      Examples:
        | turn   |
        | first  |
        | second |

    Scenario: acting
      Given what only looks has been looked at
