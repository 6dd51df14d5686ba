-- expect: memory
-- Memory errors that are caught.
local t = {} while true do pcall(function() while true do t[#t + 1] = {1, 2, 3, 4} end end) end
