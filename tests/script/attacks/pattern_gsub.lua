-- expect: limit
-- Gsub with backtracking.
string.gsub(string.rep('a', 2000), 'a*a*a*b', '')
