ploy_tests(generate
  FILES
    test_accept.c
    test_generator.c
    test_halton.c
    test_noise.c
    test_phyllotaxis.c
    test_random.c
    test_recipe.c
    test_scatter.c
    test_wfc.c
  LINK ploy_generate)
