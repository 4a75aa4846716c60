-- A ParticleSystem that keeps as many particles alive as the scene says: each lives for a second.
local parameters = require "parameters"

local image = love.graphics.newImage("assets/atlas.png")
local particles = love.graphics.newParticleSystem(image, parameters.count)
particles:setQuads(love.graphics.newQuad(0, 0, 16, 16, 256, 256))
particles:setPosition(640, 360)
particles:setEmissionRate(parameters.count)
particles:setParticleLifetime(1)
particles:setSpread(2 * math.pi)
particles:setSpeed(100, 300)
particles:setLinearAcceleration(0, 60)
particles:setSizes(1, 0.2)
particles:setColors(1, 0.8, 0.2, 1, 1, 0.1, 0, 0)

for _ = 1, 120 do particles:update(1 / 60) end -- so that the first frame has all of them

function love.update(dt) particles:update(dt) end
function love.draw() love.graphics.draw(particles) end
