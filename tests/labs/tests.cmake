ploy_tests(labs
  FILES
    test_indices.c
    test_market.c
    test_seek.c
    test_senses.c
    test_splines.c
  LINK ploy_labs
  THREADS
    test_seek.c
  NOT_WASM
    test_indices.c
    test_market.c
    test_seek.c
    test_senses.c
    test_splines.c)
