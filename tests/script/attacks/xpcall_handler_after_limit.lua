-- expect: limit
-- A message handler called for a limit.
xpcall(function() while true do end end, function() while true do end end)
