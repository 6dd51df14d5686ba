ploy_tests(board
  FILES
    test_book.c
    test_chess.c
    test_chess_perft.c
    test_contract.c
    test_endings.c
    test_explore.c
    test_atoms.c
    test_backgammon.c
    test_draughts.c
    test_evaluation.c
    test_games.c
    test_games_golden.c
    test_learn.c
    test_go.c
    test_mcts.c
    test_othello.c
    test_player.c
    test_search.c
    test_solvers.c
    test_selective.c
    test_strategy.c
    test_table.c
    test_tictactoe.c
    test_why.c
  LINK ploy_board
  THREADS test_learn.c test_mcts.c)
