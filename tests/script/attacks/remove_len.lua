-- expect: limit
-- A removal from an endless table.
table.remove(setmetatable({}, {__len = function() return 1 << 50 end, __index = function() return 1 end, __newindex = function() end}), 1)
