-- The fuel counter, and the functions that charge it. `left` is one variable for all code of the state: each charged
-- chunk has it as an upvalue (joined by C++), C++ fills it before each run, and compiled code keeps it in a register.
-- Not here: the amount of fuel, and the end of a run (host.tick, scripting/sandbox/internal/fuel_tank.h).
local need = ...
local tick = need "host".tick
local constants = need "constants"
local type, tonumber, floor, abs = type, tonumber, math.floor, math.abs
-- C++ finds the variable by this value, and fills it before each run.
local left = constants.unconnected_fuel

local fuel = {}

-- The number of iterations of a numeric loop. If adding the step no longer changes the number, it never ends.
local function turns(first, last, step)
  if step == 0 then
    if 1 / step > 0 and first <= last or 1 / step < 0 and first >= last then return 1 / 0 end
    return 0
  end
  local count = floor((last - first) / step) + 1
  if count <= 0 or count ~= count then return 0 end
  local limit = 2 ^ 50 * abs(step)
  if abs(first) > limit or abs(last) > limit then return 1 / 0 end
  return count
end

-- Compiled by LuaJIT, a loop over NaN runs some iterations, and a step of -0 counts upwards; interpreted it runs none,
-- and -0 counts downwards. The numbers returned here give the interpreter's behaviour in both cases.
local function settled(first, last, step)
  if step == 0 and first == first and last == last then
    local never_ends
    if 1 / step > 0 then never_ends = first <= last else never_ends = first >= last end
    if never_ends then return first, 1 / 0, 0 end
  end
  if step ~= step or step == 0 then step = 1 end
  return first == first and first or 1, step < 0 and 1 / 0 or -1 / 0, step
end

local kSmallest, kLargest = -2 ^ 50, 2 ^ 50
local kShort = constants.max_chunk_rows  -- iterations

--- Called by charged code: with the counter, when it is below zero, for the next slice; with the three numbers of a
--- loop and the cost of an iteration, before the first one. Returns the loop's numbers, the last one first. With a
--- negative cost an iteration may take long: then a long loop is not charged here, the second result is true, and it is
--- charged per iteration, so that the clock and the memory are checked, and leaving it early costs only the iterations
--- done. With a cost of 0 the loop charges itself.
function fuel.charge(first, last, step, weight)
  if not weight then return tick(first) end
  if step == 1 and weight > 0 and type(first) == "number" and type(last) == "number" and
      first > kSmallest and last < kLargest then
    -- Fast path for the usual loop over rows, once per chunk and often interpreted: half the time of the code below.
    if last >= first then
      local more = last - first
      left = left - (more - more % 1 + 1) * weight
      if left < 0 then left = tick(left) end
    end
    return last, first, step
  end
  if weight == 0 and step == 1 and type(first) == "number" and type(last) == "number" and first == first and
      last == last then
    return last, first, step
  end
  local a, b, c = first, last, step
  if not (type(a) == "number" and type(b) == "number" and type(c) == "number") then
    a, b, c = tonumber(a), tonumber(b), tonumber(c)
  end
  if a and b and c and (a ~= a or b ~= b or c ~= c or c == 0) then
    a, b, c = settled(a, b, c)
    first, last, step = a, b, c
  end
  if weight == 0 then return last, first, step end
  if weight > 0 then
    if a and b and c then
      left = left - turns(a, b, c) * weight
      if left < 0 then left = tick(left) end
    end  -- else the loop itself raises the error
    return last, first, step
  end
  local count = a and b and c and turns(a, b, c) or 0
  if count > kShort then return last, true, first, step end
  left = left + count * weight
  if left < 0 then left = tick(left) end
  return last, false, first, step
end

--- Charges library functions, in steps, before their work.
function fuel.spend(steps)
  left = left - steps
  if left < 0 then left = tick(left) end
end

return fuel
