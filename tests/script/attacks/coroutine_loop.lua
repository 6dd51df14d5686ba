-- expect: limit
-- An endless coroutine.
coroutine.wrap(function() while true do end end)()
