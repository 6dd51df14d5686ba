-- expect: memory
-- A table with ever new keys.
local t, i = {}, 0 while true do i = i + 1 t["key" .. i] = i end
