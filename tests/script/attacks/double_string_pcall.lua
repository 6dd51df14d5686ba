-- expect: memory
-- A string that doubles, caught.
local s = 'x' while true do pcall(function() s = s .. s end) end
