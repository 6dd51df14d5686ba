-- expect: any
-- A concat of everything.
table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, math.maxinteger)
