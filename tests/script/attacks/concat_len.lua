-- expect: any
-- A length that lies.
table.concat(setmetatable({}, {__len = function() return 1 << 50 end, __index = function() return 'x' end}))
