-- A LÖVE program without a window.
function love.conf(settings)
  for name in pairs(settings.modules) do settings.modules[name] = false end
  settings.modules.data, settings.modules.image, settings.modules.event = true, true, true
end
