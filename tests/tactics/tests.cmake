ploy_tests(tactics
  FILES
    test_analysis.c
    test_automata.c
    test_convolve.c
    test_costs.c
    test_difficulty.c
    test_flood.c
    test_frag_map.c
    test_influence.c
    test_layer.c
    test_places.c
    test_sight_map.c
  LINK ploy_tactics)
