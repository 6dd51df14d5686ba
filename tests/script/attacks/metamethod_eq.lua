-- expect: limit
-- An __eq that never ends.
local mt = {__eq = function() while true do end end} return setmetatable({}, mt) == setmetatable({}, mt)
