ploy_tests(tactics
  FILES
    test_assess.c
    test_condense.c
    test_layer.c
    test_places.c
    test_points.c
    test_query.c
    test_query_text.c
  LINK ploy_tactics)
