-- expect: limit
-- Rep in a loop.
while true do local s = string.rep('x', 100000) end
