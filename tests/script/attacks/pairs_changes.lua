-- expect: ok
-- A table that changes while it is traversed.
local t = {} for i = 1, 100 do t["k" .. i] = i end for k in pairs(t) do t[k] = nil t["n" .. k] = 1 end
