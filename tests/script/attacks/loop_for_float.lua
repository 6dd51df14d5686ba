-- expect: limit
-- A loop whose step changes nothing.
for i = 1e300, math.huge do end
