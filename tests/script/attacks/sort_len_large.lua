-- expect: any
-- A length that lies a little.
table.sort(setmetatable({}, {__len = function() return 1 << 27 end, __index = function() return 1 end}))
