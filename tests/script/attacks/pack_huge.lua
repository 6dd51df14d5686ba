-- expect: any
-- A pack with a huge field.
string.pack('c1000000000', 'x')
