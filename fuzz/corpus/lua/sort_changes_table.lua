local t = {} for i = 1, 200 do t[i] = i end table.sort(t, function(a, b) t[a] = nil return a < b end)
