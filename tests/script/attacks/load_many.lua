-- expect: limit
-- Loading for ever.
while true do load('return ' .. string.rep('1 + ', 100) .. '1') end
