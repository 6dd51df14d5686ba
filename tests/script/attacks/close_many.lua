-- expect: limit
-- Many __close handlers, each endless.
local mt = {__close = function() while true do end end}
local function f(n) local x <close> = setmetatable({}, mt) if n > 0 then f(n - 1) end while true do end end
f(150)
