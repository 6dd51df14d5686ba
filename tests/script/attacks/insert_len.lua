-- expect: any
-- An insertion into an endless table.
table.insert(setmetatable({}, {__len = function() return 1 << 50 end, __index = function() return 1 end, __newindex = function() end}), 1, 0)
