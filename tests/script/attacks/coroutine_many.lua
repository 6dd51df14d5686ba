-- expect: any
-- Coroutines that are kept.
local t = {} while true do local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) t[#t + 1] = c end
