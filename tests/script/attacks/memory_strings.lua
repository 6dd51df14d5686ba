-- expect: limit
-- Garbage of long strings.
local i = 0 while true do i = i + 1 local s = ('x'):rep(1000) .. i end
