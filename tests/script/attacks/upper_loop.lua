-- expect: limit
-- Upper and reverse for ever.
local s = string.rep('x', 100000) while true do s:upper():reverse() end
