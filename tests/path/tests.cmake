ploy_tests(path
  FILES
    test_navmesh.c
    test_navmesh_build.c
    test_navmesh_exact.c
    test_navmesh_file.c
    test_navmesh_flood.c
    test_navmesh_funnel.c
    test_navmesh_nearest.c
    test_navmesh_paths.c
    test_navmesh_query.c
    test_navmesh_ray.c
    test_navmesh_rings.c
    test_navmesh_search.c
  LINK ploy_path)
