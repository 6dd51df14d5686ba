-- expect: error
-- An error without a value.
error()
