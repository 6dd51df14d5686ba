-- expect: error
-- A long message.
error(string.rep('x', 100000))
