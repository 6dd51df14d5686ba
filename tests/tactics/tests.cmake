ploy_tests(tactics
  FILES
    test_layer.c
    test_places.c
    test_points.c
  LINK ploy_tactics)
