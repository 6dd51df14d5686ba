-- expect: error
-- Bytecode through load.
assert(load('\27Lua\84\0\25\147', 'x', 'b'))
