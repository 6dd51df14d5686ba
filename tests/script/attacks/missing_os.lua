-- expect: error
-- The system.
os.execute('true')
