-- expect: any
-- Gsub that calls itself.
local function f(s) return (s:gsub('.', f)) end f('a')
