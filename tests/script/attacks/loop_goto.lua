-- expect: limit
-- An endless goto.
::top:: goto top
