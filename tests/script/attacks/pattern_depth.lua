-- expect: any
-- A long chain of optional items.
string.find(string.rep('a', 5000), string.rep('a?', 5000))
