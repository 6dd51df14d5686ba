string.gsub(string.rep('(', 20000), '%b()', '')
