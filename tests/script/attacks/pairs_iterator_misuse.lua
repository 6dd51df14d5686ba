-- expect: error
-- An iterator with another table.
local f, t = pairs({a = 1, b = 2}) f(5)
