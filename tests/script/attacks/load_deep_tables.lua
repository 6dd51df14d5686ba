-- expect: error
-- Table constructors that nest too deeply.
assert(load('return ' .. string.rep('{', 5000) .. string.rep('}', 5000)))
