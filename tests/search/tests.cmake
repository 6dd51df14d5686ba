ploy_tests(search
  FILES
    test_bidirectional.c
    test_bounded.c
    test_deepening.c
    test_methods.c
    test_open_list.c
    test_replan.c
    test_search.c
    test_search_tree.c
    test_states.c
  LINK ploy_search)
