# Those of the component come along where it is built.
set(_recast_tests "")
set(_recast_link "")
if(TARGET ploy_path_recast)
  set(_recast_tests test_recast.c)
  set(_recast_link ploy_path_recast)
endif()

ploy_tests(path
  FILES
    test_motion_clips.c
    test_clusters.c
    test_conflicts.c
    test_cooperative.c
    test_corners.c
    test_corridor.c
    test_corridors.c
    test_costs.c
    test_dependency.c
    test_representation.c
    test_domains.c
    test_finder_kinds.c
    test_finders.c
    test_graph.c
    test_graph_check.c
    test_graph_frozen.c
    test_graph_instances.c
    test_graph_lazy.c
    test_graph_matrix.c
    test_explorer.c
    test_graph_mine.c
    test_graph_reduce.c
    test_graph_tables.c
    test_graph_cylinders.c
    test_graph_straight.c
    test_graph_text.c
    test_graph_tools.c
    test_grid_angle.c
    test_grid_anya.c
    test_grid_blocks.c
    test_grid_flow.c
    test_grid_landmarks.c
    test_grid_map.c
    test_grid_route.c
    test_grid_search.c
    test_headings.c
    test_heuristic.c
    test_hierarchy.c
    test_hierarchy_search.c
    test_landmarks.c
    test_lanes.c
    test_navmesh.c
    test_navmesh_build.c
    test_navmesh_check.c
    test_navmesh_detail.c
    test_navmesh_exact.c
    test_navmesh_file.c
    test_navmesh_flood.c
    test_navmesh_funnel.c
    test_navmesh_graph.c
    test_navmesh_join.c
    test_navmesh_nearest.c
    test_navmesh_query.c
    test_navmesh_ray.c
    test_navmesh_rings.c
    test_navmesh_search.c
    test_navmesh_stitch.c
    test_navmesh_tiles.c
    test_network.c
    test_network_find.c
    test_network_text.c
    test_navigator.c
    test_planners.c
    test_planners_work.c
    test_puzzles.c
    test_quad_regions.c
    test_route_table.c
    test_smooth.c
    test_state.c
    test_surface.c
    test_tiles.c
    test_tiles_space.c
    test_timed.c
    test_turning.c
    ${_recast_tests}
  LINK ${_recast_link} ploy_path)
