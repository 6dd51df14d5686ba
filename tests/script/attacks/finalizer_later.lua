-- expect: limit
-- A finalizer that is added later.
local mt = {} for i = 1, 100 do setmetatable({}, mt) end mt.__gc = function() while true do end end
while true do setmetatable({}, {}) end
