local function h() xpcall(error, h) end while true do xpcall(error, h) end
