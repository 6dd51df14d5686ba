-- expect: limit
-- A reader function with a loop.
load(function() while true do end end)
