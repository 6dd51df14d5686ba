-- expect: error
-- All bytes of a long string.
string.byte(string.rep('x', 100000), 1, -1)
