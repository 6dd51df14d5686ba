-- expect: limit
-- Two functions that call each other.
local g local function f() return g() end g = function() return f() end f()
