ploy_tests(learn
  FILES
    test_learner.c
    test_net.c
    test_table.c
    test_trainer.c
  LINK ploy_learn)
