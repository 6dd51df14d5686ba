-- expect: error
-- A __tostring that returns a table.
tostring(setmetatable({}, {__tostring = function() return {} end}))
