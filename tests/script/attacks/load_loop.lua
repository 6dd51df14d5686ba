-- expect: limit
-- A loaded loop.
load('while true do end')()
