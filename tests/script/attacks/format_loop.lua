-- expect: limit
-- Long formats in a loop.
local t = {} for i = 1, 100 do t[i] = i end while true do string.format(string.rep('%99d', 100), table.unpack(t)) end
