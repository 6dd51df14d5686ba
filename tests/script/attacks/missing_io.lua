-- expect: error
-- Files.
io.open('/etc/passwd')
