-- expect: error
-- A pattern that ends with a percent sign.
string.find('a', 'a%')
