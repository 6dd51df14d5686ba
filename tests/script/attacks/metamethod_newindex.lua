-- expect: any
-- A __newindex that recurses.
local t t = setmetatable({}, {__newindex = function(_, k, v) t[k] = v end}) t.x = 1
