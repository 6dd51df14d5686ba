-- expect: ok
-- A comparator without an order.
local n = 0 local t = {} for i = 1, 500 do t[i] = i end table.sort(t, function() n = n + 1 return n % 3 == 0 end)
