-- expect: limit
-- A loop inside pcall inside a loop.
while true do pcall(function() while true do end end) end
