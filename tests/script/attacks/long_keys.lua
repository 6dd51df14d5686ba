-- expect: limit
-- Long strings as keys.
local t = {} local i = 0 while true do i = i + 1 t[string.rep('x', 5000) .. i % 10] = i end
