ploy_tests(decide
  FILES
    test_code_fsm.c
    test_condition.c
    test_decision_tree.c
    test_fsm.c
    test_hsm.c
  LINK ploy_decide)
