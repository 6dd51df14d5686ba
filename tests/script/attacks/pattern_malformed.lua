-- expect: error
-- A pattern that ends early.
string.find('a', '[a')
