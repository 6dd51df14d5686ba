-- expect: limit
-- An endless repeat.
repeat local x = 1 until false
