-- expect: limit
-- A __tostring that never ends.
string.format('%s', setmetatable({}, {__tostring = function() while true do end end}))
