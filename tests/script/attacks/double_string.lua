-- expect: memory
-- A string that doubles.
local s = 'x' while true do s = s .. s end
