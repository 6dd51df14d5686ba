-- expect: limit
-- Endless tail calls.
local function f() return f() end f()
