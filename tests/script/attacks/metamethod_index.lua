-- expect: limit
-- An __index that never ends.
local t = setmetatable({}, {__index = function() while true do end end}) return t.x
