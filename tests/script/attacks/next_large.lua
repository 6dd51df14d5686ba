-- expect: limit
-- Next from the start for ever.
local t = {} for i = 1, 2000 do t["k" .. i] = i end while true do next(t) end
