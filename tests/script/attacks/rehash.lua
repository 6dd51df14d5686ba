-- expect: any
-- A full table that is rehashed at each insertion.
local t = {} for i = 1, 8192 do t["k" .. i] = i end
local i = 0 while true do i = i + 1 t["n" .. i] = 1 t["n" .. i] = nil end
