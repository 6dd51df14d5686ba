-- expect: memory
-- A recursion that overflows the stack.
local function f() return 1 + f() end f()
