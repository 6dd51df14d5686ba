-- expect: limit
-- Insertions at the front.
local t = {} while true do table.insert(t, 1, 0) end
