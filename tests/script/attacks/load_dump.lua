-- expect: error
-- String.dump.
string.dump(function() end)
