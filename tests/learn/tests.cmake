ploy_tests(learn
  FILES
    test_bayes.c
    test_discretise.c
    test_learner.c
    test_ngram.c
    test_score.c
    test_table.c
    test_tree.c
    test_tune.c
  LINK ploy_learn)
