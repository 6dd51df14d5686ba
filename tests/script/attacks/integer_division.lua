-- expect: error
-- A division by zero.
return 1 // 0
