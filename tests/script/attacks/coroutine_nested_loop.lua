-- expect: limit
-- Nested coroutines in a loop.
local function f() return coroutine.wrap(f)() end while true do pcall(f) end
