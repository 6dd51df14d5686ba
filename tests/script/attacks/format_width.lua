-- expect: error
-- A width that is too long.
string.format('%9999d', 1)
