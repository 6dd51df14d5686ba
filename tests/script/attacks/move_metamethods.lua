-- expect: limit
-- A move through metamethods.
table.move(setmetatable({}, {__index = function() return 1 end}), 1, 1 << 40, 1, setmetatable({}, {__newindex = function() end}))
