-- expect: any
-- Ever longer argument lists.
local function f(...) return f(1, ...) end
pcall(f) f()
