-- expect: error
-- An unpack whose count overflows.
table.unpack({}, math.mininteger, math.maxinteger)
