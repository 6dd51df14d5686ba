-- expect: error
-- A string beyond the limit.
string.rep('x', 1 << 40)
