if(TARGET ploy_script_lua)
  ploy_tests(script
    FILES
      test_attacks.c
      test_libraries.c
      test_lua.c
      test_minds.c
      test_peer.c
      test_rewind.c
    LINK ploy_script_lua ploy PloyLua::Lua)
endif()
