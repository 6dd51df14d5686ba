string.format('%9999d', 1)
