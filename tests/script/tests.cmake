if(TARGET ploy_script_lua)
  set(_script_bind)
  set(_script_link)
  if(TARGET ploy_script_bind)
    set(_script_bind test_bind.c)
    set(_script_link ploy_script_bind)
  endif()
  ploy_tests(script
    FILES
      test_attacks.c
      ${_script_bind}
      test_libraries.c
      test_lua.c
      test_minds.c
      test_peer.c
      test_rewind.c
    LINK ${_script_link} ploy_script_lua ploy PloyLua::Lua)
  if(TARGET ploy_script_bind AND TARGET ploy_test_script) # builds for threads have no such test
    target_sources(ploy_test_script PRIVATE script/bind_driver.c)
    add_executable(ploy_bind_dense script/bind_dense.c script/bind_driver.c)
    ploy_client(ploy_bind_dense)
    target_include_directories(ploy_bind_dense PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(ploy_bind_dense PRIVATE PLOY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(ploy_bind_dense PRIVATE ploy_script_bind ploy_script_lua ploy PloyLua::Lua ${PLOY_HEADER_LIBS})
    add_test(NAME script.bind_dense COMMAND ploy_bind_dense 1 10)
    set_tests_properties(script.bind_dense PROPERTIES TIMEOUT 300)
  endif()
endif()
