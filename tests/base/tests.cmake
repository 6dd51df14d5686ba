ploy_tests(base
  FILES
    test_alloc.c
    test_api.c
    test_arena.c
    test_array.c
    test_budget.c
    test_describe.c
    test_diags.c
    test_env.c
    test_fields.c
    test_fields_access.c
    test_fields_json.c
    test_fields_text.c
    test_hash.c
    test_heap.c
    test_jobs.c
    test_json.c
    test_json_read.c
    test_json_writer.c
    test_map.c
    test_math.c
    test_math_double.c
    test_message.c
    test_name.c
    test_number.c
    test_os.c
    test_pool.c
    test_probe.c
    test_region.c
    test_result.c
    test_rng.c
    test_stack.c
    test_stepper.c
    test_trace.c
    test_utf8.c
    test_value.c
    test_version.c
    test_visit.c
    test_visit_load.c
    test_writer.c
  LINK ploy_base
  THREADS test_jobs.c test_os.c test_region.c
  # Mathematics and number text are held against the C library, which is not exact enough there.
  NOT_WINDOWS test_math.c test_math_double.c test_number.c)
