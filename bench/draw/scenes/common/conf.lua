-- Settings of the LÖVE programs: the size of Perigee's window, no wait for the display, all else as LÖVE has it.
function love.conf(settings)
  settings.window.width, settings.window.height = 1280, 720
  settings.window.vsync = 0
end
