-- expect: limit
-- Select over many arguments.
local t = {} for i = 1, 8000 do t[i] = i end
local function f(...) while true do local n = select('#', ...) end end f(table.unpack(t))
