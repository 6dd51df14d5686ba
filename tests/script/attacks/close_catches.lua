-- expect: limit
-- A __close with pcall.
local x <close> = setmetatable({}, {__close = function() pcall(function() while true do end end) while true do end end})
while true do end
