-- expect: ok
-- Nothing, many times.
local s = string.rep('', 400000000) assert(s == '')
