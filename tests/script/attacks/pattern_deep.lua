-- expect: error
-- A pattern that nests too deeply.
string.find(string.rep('a', 500), string.rep('(a', 40))
