-- expect: error
-- An unpack of everything.
table.unpack({}, 1, 1e8)
