-- expect: error
-- Next with a key that is not there.
next({a = 1}, 'b')
