ploy_tests(learn
  FILES
    test_learner.c
    test_table.c
  LINK ploy_learn)
