ploy_tests(board
  FILES
    test_contract.c
    test_explore.c
    test_games.c
    test_mcts.c
    test_player.c
    test_search.c
    test_selective.c
    test_table.c
    test_tictactoe.c
    test_why.c
  LINK ploy_board
  THREADS test_mcts.c)
