-- expect: limit
-- A move of everything.
table.move({}, 1, math.maxinteger - 1, 2)
