-- expect: any
-- A message handler that fails again and again.
while true do xpcall(error, function(e) error(e) end) end
