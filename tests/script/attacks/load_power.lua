-- expect: error
-- A power in loaded text.
assert(load('return 2 ^ 0.5'))
