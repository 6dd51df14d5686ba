-- expect: memory
-- Tables in tables.
local t = {} while true do t = {t, t, t, t} end
