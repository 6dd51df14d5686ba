-- expect: ok
-- Integers that wrap.
assert(math.maxinteger + 1 == math.mininteger and math.mininteger // -1 == math.mininteger and math.mininteger % -1 == 0)
