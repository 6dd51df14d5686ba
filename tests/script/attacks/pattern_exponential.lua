-- expect: limit
-- A pattern with exponential backtracking.
local s = string.rep('a', 40) string.find(s, string.rep('a?', 40) .. string.rep('a', 41))
