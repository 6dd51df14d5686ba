-- expect: limit
-- A replacement function that never ends.
string.gsub('abc', '.', function() while true do end end)
