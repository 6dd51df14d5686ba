-- expect: ok
-- A script that removes all globals.
local p, n, g = pairs, {}, _G for k in p(g) do n[#n + 1] = k end for i = 1, #n do g[n[i]] = nil end
