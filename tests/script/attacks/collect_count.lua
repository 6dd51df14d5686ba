-- expect: error
-- Memory in use.
collectgarbage('count')
