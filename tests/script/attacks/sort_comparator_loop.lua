-- expect: limit
-- A comparator that never ends.
table.sort({3, 2, 1}, function() while true do end end)
