ploy_tests(world
  FILES
    test_pose.c
  LINK ploy_world)
