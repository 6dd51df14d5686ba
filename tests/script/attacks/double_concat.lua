-- expect: any
-- Concat that doubles.
local t = {'x'} while true do t = {table.concat(t) .. table.concat(t)} end
