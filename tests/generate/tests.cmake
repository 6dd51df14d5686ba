ploy_tests(generate
  FILES
    test_accept.c
    test_generator.c
    test_grammar.c
    test_halton.c
    test_levels.c
    test_maze.c
    test_noise.c
    test_phyllotaxis.c
    test_random.c
    test_recipe.c
    test_scatter.c
    test_shapes.c
    test_spanning.c
  LINK ploy_generate)
