ploy_tests(generate
  FILES
    test_generator.c
    test_phyllotaxis.c
  LINK ploy_generate)
