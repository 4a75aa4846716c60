-- love bench/draw/compare ONE.png OTHER.png BOTH.png: puts two pictures of one size side by side and prints how much
-- they differ: the share of pixels in which a channel differs by more than 32 of 255 levels, and the largest difference
-- between the means of blocks of 40 x 40 pixels. The second sees what is missing or misplaced, not how edges are drawn.
local kLevel, kBlock = 32 / 255, 40

local function picture_of(path)
  local file = assert(io.open(path, "rb"))
  local picture = love.image.newImageData(love.data.newByteData(file:read("*a")))
  file:close()
  return picture
end

local function mean_of(picture, left, top)
  local sum = 0
  for y = top, top + kBlock - 1 do
    for x = left, left + kBlock - 1 do
      local r, g, b = picture:getPixel(x, y)
      sum = sum + r + g + b
    end
  end
  return sum * 255 / (3 * kBlock * kBlock)
end

local one, other = picture_of(arg[2]), picture_of(arg[3])
local width, height = one:getDimensions()
assert(width == other:getWidth() and height == other:getHeight(), "the pictures have different sizes")

local differing, worst = 0, 0
for y = 0, height - 1 do
  for x = 0, width - 1 do
    local r1, g1, b1 = one:getPixel(x, y)
    local r2, g2, b2 = other:getPixel(x, y)
    if math.max(math.abs(r1 - r2), math.abs(g1 - g2), math.abs(b1 - b2)) > kLevel then differing = differing + 1 end
  end
end
for y = 0, height - kBlock, kBlock do
  for x = 0, width - kBlock, kBlock do
    worst = math.max(worst, math.abs(mean_of(one, x, y) - mean_of(other, x, y)))
  end
end

local both = love.image.newImageData(width * 2 + 8, height)
both:paste(one, 0, 0, 0, 0, width, height)
both:paste(other, width + 8, 0, 0, 0, width, height)
local file = assert(io.open(arg[4], "wb"))
file:write(both:encode("png"):getString())
file:close()
print(("%.2f %.1f"):format(differing / (width * height) * 100, worst))
os.exit(0)
