-- expect: limit
-- Greedy repetitions.
local s = string.rep('a', 3000) s:find('.*.*.*.*.*.*x')
