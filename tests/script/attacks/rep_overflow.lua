-- expect: error
-- A length that overflows.
string.rep(string.rep('x', 1000), math.maxinteger // 500)
