-- expect: refused
-- A power with a comment inside.
return 3 ^ --[[ 2 ]] 3
