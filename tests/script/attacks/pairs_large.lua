-- expect: limit
-- Pairs over a large table for ever.
local t = {} for i = 1, 2000 do t["k" .. i] = i end while true do for k in pairs(t) do break end end
