-- expect: limit
-- Pack for ever.
local s = string.rep('x', 50000) while true do string.pack('s8', s) end
