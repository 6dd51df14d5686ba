-- expect: error
-- A weak table.
setmetatable({}, {__mode = 'k'})
