local s = 'ab' while true do s = s:gsub('.', '%0%0') end
