-- expect: error
-- Setmetatable on a string.
setmetatable('', {})
