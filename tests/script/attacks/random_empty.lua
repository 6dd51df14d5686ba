-- expect: error
-- An empty interval.
math.random(2, 1)
