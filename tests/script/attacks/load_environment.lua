-- expect: error
-- Load with another environment.
local f = load('x = 1; return print', 'c', 't', {}) f()('no') error('print is ' .. tostring(load('return print', 'c', 't', {})()))
