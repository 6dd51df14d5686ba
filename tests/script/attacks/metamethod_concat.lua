-- expect: limit
-- A __concat that never ends.
return setmetatable({}, {__concat = function() while true do end end}) .. 'x'
