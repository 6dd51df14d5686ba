-- expect: limit
-- Gmatch with backtracking.
for w in string.gmatch(string.rep('ab', 3000), 'a.-a.-a.-a.-c') do end
