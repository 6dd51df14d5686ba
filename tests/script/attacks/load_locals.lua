-- expect: error
-- Too many local variables.
local s = {} for i = 1, 300 do s[i] = 'local a' .. i end assert(load(table.concat(s, ' ')))
