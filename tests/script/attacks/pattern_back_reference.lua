-- expect: limit
-- Long back references.
local s = string.rep('a', 20000) s:find('(a*)%1%1b')
