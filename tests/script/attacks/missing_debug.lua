-- expect: error
-- The debug library.
debug.sethook()
