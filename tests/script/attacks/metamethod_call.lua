-- expect: any
-- A __call chain.
local t = setmetatable({}, {}) getmetatable(t).__call = t t()
