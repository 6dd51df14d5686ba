-- expect: limit
-- Many values through yield.
local t = {} for i = 1, 5000 do t[i] = i end
local co = coroutine.wrap(function(...) while true do coroutine.yield(...) end end)
while true do co(table.unpack(t)) end
