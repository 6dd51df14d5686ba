-- expect: any
-- Coroutines inside coroutines.
local function f() return coroutine.wrap(f)() end f()
