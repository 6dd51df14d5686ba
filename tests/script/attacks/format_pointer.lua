-- expect: error
-- An address.
return string.format('%p', {})
