ploy_tests(generate
  FILES
    test_generator.c
    test_halton.c
    test_phyllotaxis.c
    test_random.c
    test_wfc.c
  LINK ploy_generate)
