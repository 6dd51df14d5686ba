-- expect: limit
-- A weak table that becomes one later.
local mt = {} local t = setmetatable({}, mt) mt.__mode = 'v' while true do t[1] = {} end
