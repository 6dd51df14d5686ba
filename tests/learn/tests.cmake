ploy_tests(learn
  FILES
    test_actor.c
    test_bayes.c
    test_discretise.c
    test_hebb.c
    test_learner.c
    test_net.c
    test_net_learner.c
    test_ngram.c
    test_problem.c
    test_score.c
    test_sim_problem.c
    test_table.c
    test_trainer.c
    test_tree.c
    test_tune.c
  LINK ploy_learn)
