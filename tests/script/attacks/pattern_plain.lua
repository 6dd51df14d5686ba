-- expect: limit
-- A plain search with many near misses.
local s = string.rep('a', 100000) while true do s:find(string.rep('a', 5000) .. 'b', 1, true) end
