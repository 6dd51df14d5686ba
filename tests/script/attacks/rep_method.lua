-- expect: limit
-- Rep as a method in a loop.
local s = 'ab' while true do local x = s:rep(50000) end
