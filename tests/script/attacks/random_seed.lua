-- expect: error
-- Another seed.
math.randomseed(1)
