ploy_tests(move
  FILES
    test_approach.c
    test_arrive.c
    test_bounds.c
    test_flee.c
    test_integrate.c
    test_kinematic.c
    test_seek.c
    test_wander.c
    test_wander3.c
  LINK ploy_move
  THREADS)
