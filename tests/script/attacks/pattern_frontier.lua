-- expect: limit
-- A frontier in a loop.
local s = string.rep('x', 50000) while true do s:find('%f[%a]y') end
