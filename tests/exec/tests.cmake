ploy_tests(exec
  FILES
    test_action.c
    test_behavior.c
    test_blackboard.c
    test_engine.c
    test_engine_step.c
    test_engine_workers.c
    test_outbox.c
    test_path_service.c
    test_sim.c
  LINK ploy_exec
  THREADS
    test_engine_workers.c)
