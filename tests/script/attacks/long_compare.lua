-- expect: limit
-- Long strings that are compared.
local a, b = string.rep('x', 200000), string.rep('x', 200000) while a == b do end
