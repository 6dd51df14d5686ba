local co co = coroutine.create(function() return coroutine.resume(co) end) local ok, a, b = coroutine.resume(co) error(b)
