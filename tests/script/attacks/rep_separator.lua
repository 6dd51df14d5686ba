-- expect: error
-- A separator that overflows.
string.rep('', 1 << 30, string.rep('x', 1000))
