-- A falling-sand toy: 512 x 512 cells, each a pixel of one image, moved by plain Lua 60 times a second. The picture is
-- the world here, so there is no schema.
-- Run it with: ./run scripts/examples/sand
local WIDTH, HEIGHT = 512, 512
local EMPTY, WALL, SAND, WATER = 0x10101cff, 0x707078ff, 0xe0c070ff, 0x3870e0ff
local TOP, LEFT, SCALE = 0, 280, 720 / HEIGHT

local cells = gfx.pixels(WIDTH, HEIGHT)
local brush, turn = SAND, 0

local function clear()
  cells:fill(EMPTY)
  cells:rect(0, 0, 1, HEIGHT, WALL)
  cells:rect(WIDTH - 1, 0, 1, HEIGHT, WALL)
  cells:rect(0, HEIGHT - 1, WIDTH, 1, WALL)
  for i = 0, 5 do cells:rect(60 + 70 * i, 150 + 90 * (i % 3), 50, 6, WALL) end
end

-- Moves what is in row y: down, down and aside, or, water only, aside.
local function move_row(y, side)
  local first = y * WIDTH + 1
  for i = first + 1, first + WIDTH - 2 do
    local cell = cells[i]
    if cell ~= EMPTY and cell ~= WALL then
      local below = i + WIDTH
      local to
      if cells[below] == EMPTY or cell == SAND and cells[below] == WATER then
        to = below
      elseif cells[below + side] == EMPTY then
        to = below + side
      elseif cells[below - side] == EMPTY then
        to = below - side
      elseif cell == WATER and cells[i - side] == EMPTY then
        to = i - side
      end
      if to then cells[i], cells[to] = cells[to], cell end
    end
  end
end

-- Pours a ragged line of cells, so that it does not fall as a block.
local function pour(x, y, what)
  for i = -6, 6 do
    if (i * 7 + turn * 5) % 4 < 2 and x + i > 0 and x + i < WIDTH - 1 and y > 0 and y < HEIGHT - 1 then
      cells:set(x + i, y, what)
    end
  end
end

function update()
  turn = turn + 1
  for y = HEIGHT - 2, 0, -1 do move_row(y, (y + turn) % 2 * 2 - 1) end
  pour(math.floor(WIDTH / 2 + 180 * math.sin(turn / 90)), 4, SAND)
  pour(math.floor(WIDTH / 2 - 180 * math.sin(turn / 130)), 4, WATER)

  if input.pressed("space") then brush = brush == SAND and WATER or brush == WATER and WALL or SAND end
  if input.pressed("c") then clear() end
  if input.down("mouse_left") then
    local x, y = input.mouse()
    pour(math.floor((x - LEFT) / SCALE), math.floor((y - TOP) / SCALE), brush)
  end
end

function draw()
  gfx.set_background("#08080e")
  gfx.image(cells, LEFT, TOP, { scale = SCALE })
  gfx.print("the mouse pours\nspace changes\nwhat it pours\nC clears", 24, 24, 20)
  gfx.rectangle("fill", 24, 130, 40, 40, brush)
end

clear()
