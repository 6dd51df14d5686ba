-- expect: any
-- Pcall that recurses into itself.
local function f() return pcall(f) end f() while true do pcall(f) end
