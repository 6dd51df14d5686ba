ploy_tests(generate
  FILES
    test_generator.c
    test_grammar.c
    test_levels.c
    test_maze.c
    test_phyllotaxis.c
    test_shapes.c
    test_spanning.c
  LINK ploy_generate)
