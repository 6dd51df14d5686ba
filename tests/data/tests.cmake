ploy_tests(data
  FILES
    test_movingai.c
    test_movingai_paths.c
  LINK ploy_data
  NOT_WASM
    test_movingai_paths.c)
