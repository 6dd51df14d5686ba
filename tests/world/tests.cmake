ploy_tests(world
  FILES
    test_pose.c
    test_sense.c
    test_sense_log.c
    test_sense_memory.c
    test_senses.c
    test_sight.c
    test_sight_batch.c
    test_target.c
  LINK ploy_world
  THREADS test_sight_batch.c
  NOT_WASM test_sight_batch.c)
