-- expect: limit
-- A script that replaces pcall and error.
pcall = function(f) while true do f() end end error = pcall pcall(function() end)
