assert(load(string.rep('(', 5000) .. '1' .. string.rep(')', 5000)))
