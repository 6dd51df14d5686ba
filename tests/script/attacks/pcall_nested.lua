-- expect: limit
-- Pcall inside pcall.
local function f() pcall(f) while true do end end f()
