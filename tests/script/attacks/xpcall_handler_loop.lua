-- expect: limit
-- A message handler that never ends.
xpcall(error, function() while true do end end)
