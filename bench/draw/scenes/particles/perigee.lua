-- Particles. This scene waits for gfx.Emitter: one emitter like that of love.lua belongs here.
if not pcall(function() return gfx.Emitter end) then
  print("not there yet: gfx.Emitter")
  app.quit()
  return
end
error("gfx.Emitter is there: write this scene like love.lua beside it")
