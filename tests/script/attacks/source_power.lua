-- expect: refused
-- A power.
return 2 ^ 0.5
