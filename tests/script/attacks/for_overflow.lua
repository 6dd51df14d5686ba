-- expect: ok
-- A loop at the end of the integers.
for i = math.maxinteger - 1, math.maxinteger do end
