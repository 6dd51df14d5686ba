ploy_tests(decide
  FILES
    test_bt.c
    test_bt_builder.c
    test_bt_instance.c
    test_bt_library.c
    test_bt_random.c
    test_bt_step.c
    test_code_fsm.c
    test_condition.c
    test_decision_tree.c
    test_expression.c
    test_fsm.c
    test_hsm.c
    test_semaphore.c
  LINK ploy_decide)
