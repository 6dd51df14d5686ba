ploy_tests(board
  FILES
    test_contract.c
    test_tictactoe.c
  LINK ploy_board)
