-- expect: limit
-- Resume as a catcher.
while true do coroutine.resume(coroutine.create(function() while true do end end)) end
