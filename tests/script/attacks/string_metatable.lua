-- expect: error
-- The metatable of all strings.
getmetatable('').__index = function() while true do end end
