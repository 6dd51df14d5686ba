-- expect: error
-- Bytecode in a text mode.
assert(load('\27Lua' .. string.rep('\0', 100)))
