ploy_tests(board
  FILES
    test_contract.c
    test_draughts.c
    test_othello.c
    test_solvers.c
    test_tictactoe.c
  LINK ploy_board)
