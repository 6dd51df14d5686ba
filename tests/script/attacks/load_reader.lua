-- expect: any
-- A reader function that never ends.
load(function() return ' ' end)
