-- expect: error
-- Functions that nest too deeply.
assert(load(string.rep('return function() ', 500) .. string.rep('end ', 500)))
