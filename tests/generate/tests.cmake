ploy_tests(generate
  FILES
    test_accept.c
    test_erosion.c
    test_generator.c
    test_grammar.c
    test_growth.c
    test_halton.c
    test_heightmap.c
    test_levels.c
    test_lsystem.c
    test_maze.c
    test_noise.c
    test_phyllotaxis.c
    test_plant_mesh.c
    test_random.c
    test_recipe.c
    test_roads.c
    test_scatter.c
    test_shapes.c
    test_spanning.c
    test_terrain.c
    test_voxels.c
    test_water.c
  LINK ploy_generate
  THREADS test_terrain.c)
