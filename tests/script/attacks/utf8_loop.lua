-- expect: limit
-- Utf8.len for ever.
local s = string.rep('x', 100000) while true do utf8.len(s) end
