ploy_tests(tactics
  FILES
    test_dwell.c
    test_fireteam.c
    test_house.c
    test_layer.c
    test_order.c
    test_places.c
    test_signals.c
    test_squad_run.c
    test_squad_script.c
    test_tiers.c
  LINK ploy_tactics)
