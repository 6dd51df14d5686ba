ploy_tests(tactics
  FILES
    test_assess.c
    test_condense.c
    test_layer.c
    test_places.c
    test_points.c
  LINK ploy_tactics)
