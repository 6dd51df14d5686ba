# As WebAssembly the golden scenes stand for them, as for the labs.
set(_game_tests
  test_ghosts.c
  test_minds.c
  test_raven_fuzzy.c
  test_raven_goals.c
  test_raven_teams.c
  test_raven.c
  test_raven_paths.c
  test_raven_sense.c
  test_raven_sight.c
  test_raven_weapons.c
  test_raven_world.c
  test_soccer.c
  test_soccer_keeper.c
  test_soccer_move.c
  test_soccer_params.c
  test_soccer_pass.c
  test_soccer_person.c
  test_soccer_pitch.c
  test_soccer_player.c
  test_soccer_random.c
  test_soccer_sight.c
  test_soccer_spots.c
  test_soccer_team.c
  test_westworld.c
)
ploy_tests(games FILES ${_game_tests} LINK ploy_games THREADS test_minds.c NOT_WASM ${_game_tests})
