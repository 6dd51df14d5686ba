-- expect: error
-- Modules.
require('io')
