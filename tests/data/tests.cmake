set(_data_png_tests "")
set(_data_png_link "")
if(TARGET ploy_data_png)
  set(_data_png_tests test_png.c)
  set(_data_png_link ploy_data_png)
endif()

set(_data_compression_link "")
if(TARGET ploy_data_compression)
  set(_data_compression_link ploy_data_compression)
endif()

ploy_tests(data
  FILES
    test_bt_file.c
    test_character.c
    test_characters.c
    test_clips.c
    test_clips_constraint.c
    test_clips_peer.c
    test_documents.c
    test_epd.c
    test_fuzzy.c
    test_growth.c
    test_growth_files.c
    test_heights.c
    test_level.c
    test_level_build.c
    test_level_obj.c
    test_level_offers.c
    test_level_overrides.c
    test_level_text.c
    test_level_use.c
    test_machine.c
    test_machine_fsm.c
    test_movingai.c
    test_movingai_paths.c
    test_obf.c
    test_cbor.c
    test_fann.c
    test_idx.c
    test_onnx.c
    test_moves_file.c
    test_obj.c
    test_pddl.c
    test_pddl_plans.c
    test_pddl_read.c
    test_pgn.c
    test_plan.c
    test_content_obj.c
    test_plant_file.c
    test_tiled.c
    test_tiles_text.c
    test_save.c
    test_table_file.c
    test_polyglot.c
    test_actor_file.c
    test_board_file.c
    test_sgf.c
    test_site.c
    test_staging.c
    test_wfc_file.c
    test_xml.c
    ${_data_png_tests}
  LINK ${_data_png_link} ${_data_compression_link} ploy_data
  NOT_WASM
    test_bt_file.c
    test_clips_peer.c
    test_fuzzy.c
    test_growth.c
    test_growth_files.c
    test_machine.c
    test_machine_fsm.c
    test_movingai_paths.c
    test_pddl_plans.c)
if(TARGET ploy_data_compression AND TARGET ploy_test_data)
  target_compile_definitions(ploy_test_data PRIVATE PLOY_HAS_DATA_COMPRESSION)
endif()

# Growing input under callgrind, which counts the instructions of each reader.
find_program(PLOY_VALGRIND valgrind)
find_path(PLOY_CALLGRIND_INCLUDE valgrind/callgrind.h)
mark_as_advanced(PLOY_VALGRIND PLOY_CALLGRIND_INCLUDE)
if(PLOY_VALGRIND AND PLOY_CALLGRIND_INCLUDE AND TARGET ploy_test_data AND NOT CMAKE_CROSSCOMPILING
    AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
  set_source_files_properties(data/test_growth.c data/test_growth_files.c PROPERTIES
    COMPILE_DEFINITIONS PLOY_HAS_CALLGRIND)
  foreach(name growth growth_files)
    add_test(NAME data.${name}.work COMMAND ${PLOY_VALGRIND} --quiet --tool=callgrind
      --callgrind-out-file=${CMAKE_CURRENT_BINARY_DIR}/${name}.work $<TARGET_FILE:ploy_test_data> test_${name}.c)
    set_tests_properties(data.${name}.work PROPERTIES TIMEOUT 300
      ENVIRONMENT PLOY_GROWTH_OUT=${CMAKE_CURRENT_BINARY_DIR}/${name}.work)
  endforeach()
endif()
