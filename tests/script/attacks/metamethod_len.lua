-- expect: limit
-- A __len that never ends.
return #setmetatable({}, {__len = function() while true do end end})
