-- expect: limit
-- A long set.
local set = '[' .. string.rep('b-c', 3000) .. ']' string.rep('a', 20000):find(set)
