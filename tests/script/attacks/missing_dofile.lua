-- expect: error
-- Other files.
dofile('/etc/passwd')
