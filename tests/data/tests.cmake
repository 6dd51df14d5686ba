ploy_tests(data
  FILES
    test_clips.c
    test_clips_peer.c
    test_fuzzy.c
    test_movingai.c
    test_movingai_paths.c
    test_obj.c
    test_pddl.c
    test_pddl_plans.c
    test_pddl_read.c
    test_xml.c
  LINK ploy_data
  NOT_WASM
    test_clips_peer.c
    test_fuzzy.c
    test_movingai_paths.c
    test_pddl_plans.c)
