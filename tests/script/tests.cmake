if(TARGET ploy_script_lua)
  ploy_tests(script
    FILES
      test_lua.c
      test_minds.c
    LINK ploy_script_lua ploy PloyLua::Lua)
endif()
