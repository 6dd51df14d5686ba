-- expect: limit
-- Many lazy captures.
local s = string.rep('a', 3000) s:match('.-.-.-.-.-.-.-b')
