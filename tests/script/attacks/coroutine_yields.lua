-- expect: limit
-- Two coroutines that yield for ever.
local a = coroutine.wrap(function() while true do coroutine.yield() end end) while true do a() end
