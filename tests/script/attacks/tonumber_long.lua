-- expect: limit
-- Long numbers.
local s = string.rep('1', 100000) while true do tonumber(s) end
