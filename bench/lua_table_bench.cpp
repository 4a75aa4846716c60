// Scripts over ordinary Lua tables with numbers as keys, dense, sparse and mixed, against the same script in
// plain LuaJIT.
//
// Invariant: both sides run the same text. After its first turn, each pattern leaves its tables as it found
// them.
#include "bench/support/harness.h"
#include "bench/support/lua_game.h"
#include "bench/support/plain_lua.h"

#include <memory>
#include <string>
#include <utility>

namespace perigee::bench {
namespace {

constexpr std::size_t kUnits = 5000;
constexpr const char* kStock = "the same script in plain LuaJIT";

// What all patterns begin with: places of units, and numbers that are the same in each run.
constexpr const char* kUnitsText = R"(
local floor, N, W = math.floor, 5000, 100
local seed = 1
local function draw(n) seed = seed * 48271 % 2147483647 return seed % n end
local ux, uy = {}, {}
for i = 1, N do ux[i], uy[i] = draw(4096), draw(4096) end
)";

struct Pattern {
    const char* row;
    const char* text;  ///< defines the global function `turn`
};

constexpr Pattern kPatterns[] = {
    {"Lua table, dense grid", R"(
local cells, following = {}, {}
for i = 1, W * W do cells[i], following[i] = draw(2), 0 end
function turn()
  for y = 2, W - 1 do
    for x = 2, W - 1 do
      local i = (y - 1) * W + x
      local n = cells[i - 1] + cells[i + 1] + cells[i - W] + cells[i + W]
      following[i] = n == 2 and 1 or 0
    end
  end
  cells, following = following, cells
end)"},
    {"Lua table, grid of rows", R"(
local rows = {}
for y = 0, W - 1 do
  rows[y] = {}
  for x = 0, W - 1 do rows[y][x] = draw(3) end
end
function turn()
  local sum = 0
  for y = 1, W - 2 do
    for x = 1, W - 2 do
      sum = sum + rows[y - 1][x] + rows[y + 1][x] + rows[y][x - 1] + rows[y][x + 1]
      rows[y][x] = (rows[y][x] + 1) % 3
    end
  end
  return sum
end)"},
    {"Lua table, grid made in each step", R"(
function turn()
  local grid = {}
  for y = 0, 69 do
    for x = 0, 69 do grid[y * 70 + x] = x end
  end
  local sum = 0
  for i = 0, 4899 do sum = sum + grid[i] end
  return sum
end)"},
    {"Lua table, cells with small and large keys", R"(
function turn()
  local grid = {}
  for i = 1, N do
    local key = floor(ux[i] / 64) * 1000 + floor(uy[i] / 64)
    local cell = grid[key]
    if not cell then
      cell = {}
      grid[key] = cell
    end
    cell[#cell + 1] = i
  end
  local found = 0
  for i = 1, N do
    local cx, cy = floor(ux[i] / 64), floor(uy[i] / 64)
    for dx = -1, 1 do
      for dy = -1, 1 do
        local cell = grid[(cx + dx) * 1000 + cy + dy]
        if cell then found = found + #cell end
      end
    end
  end
  return found
end)"},
    {"Lua table, cells that are emptied by pairs", R"(
local grid = {}
function turn()
  for _, cell in pairs(grid) do
    for i = #cell, 1, -1 do cell[i] = nil end
  end
  for i = 1, N do
    ux[i] = (ux[i] + 1) % 4096
    local key = floor(ux[i] / 64) * 1000 + floor(uy[i] / 64)
    local cell = grid[key]
    if not cell then
      cell = {}
      grid[key] = cell
    end
    cell[#cell + 1] = i
  end
end)"},
    {"Lua table, set of entities", R"(
local set = {}
for i = 1, N do set[i * 3 + 2 ^ 33] = true end
function turn()
  local count = 0
  for i = 1, 3 * N do
    if set[i + 2 ^ 33] then count = count + 1 end
  end
  for i = 1, 500 do set[i * 3 + 2 ^ 33] = nil end
  for i = 1, 500 do set[i * 3 + 2 ^ 33] = true end
  return count
end)"},
    {"Lua table, pairs over a set of entities", R"(
local set = {}
for i = 1, N do set[i * 3 + 2 ^ 33] = true end
function turn()
  local sum = 0
  for entity in pairs(set) do sum = sum + entity % 7 end
  return sum
end)"},
    {"Lua table, pairs over a set that changes", R"(
local set = {}
for i = 1, N do set[i * 3 + 2 ^ 33] = true end
function turn()
  for _ = 1, 50 do
    local entity = (draw(N) + 1) * 3 + 2 ^ 33
    set[entity] = not set[entity] or nil
  end
  local sum = 0
  for entity in pairs(set) do sum = sum + entity % 7 end
  return sum
end)"},
    {"Lua table, queue", R"(
local queue, head, tail = {}, 1, 0
function turn()
  local sum = 0
  for i = 1, N do
    tail = tail + 1
    queue[tail] = i
  end
  while head <= tail do
    sum = sum + queue[head]
    queue[head] = nil
    head = head + 1
  end
  return sum
end)"},
    {"Lua table, sparse ids", R"(
local sparse, ids = {}, {}
for i = 1, N do
  ids[i] = draw(1000000)
  sparse[ids[i]] = i
end
function turn()
  local sum = 0
  for k = 1, N do
    local id = ids[k]
    sparse[id] = sparse[id] + 1
    sum = sum + sparse[id]
  end
  return sum
end)"},
    {"Lua table, list with insert and swap-remove", R"(
local insert, remove = table.insert, table.remove
function turn()
  local list = {}
  for i = 1, N do list[#list + 1] = i end
  for _ = 1, N / 2 do
    local k = draw(#list) + 1
    list[k] = list[#list]
    list[#list] = nil
  end
  for i = 1, 500 do insert(list, i) end
  for _ = 1, 500 do remove(list) end
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return sum
end)"},
    {"Lua table, pairs over fields", R"(
local unit = { name = "a", hp = 3, x = 1, y = 2, kind = "b", 1, 2, 3 }
function turn()
  local count = 0
  for _ = 1, N / 8 do
    for key in pairs(unit) do count = count + (key and 1) end
  end
  return count
end)"},
};

Sample in_game(const std::string& text) {
    auto game = std::make_shared<LuaGame>(true, MemorySource::Files{{"schema.lua", ""}, {"main.lua", text}});
    return [game](const Effort& effort) { return time_loop(effort, kUnits, [&] { game->run("turn()"); }); };
}

Sample in_stock(const std::string& text) {
    auto plain = std::make_shared<PlainLua>(text);
    return [plain](const Effort& effort) { return time_loop(effort, kUnits, [&] { plain->call("turn"); }); };
}

}  // namespace

std::vector<Case> lua_table_cases() {
    std::vector<Case> cases;
    for (const Pattern& pattern : kPatterns) {
        const std::string text = std::string(kUnitsText) + pattern.text;
        cases.push_back(Case{pattern.row, kUnits, "lua", kStock, [text] {
                                 return Sides{in_game(text), in_stock(text)};
                             }});
    }
    return cases;
}

}  // namespace perigee::bench
