-- A sort with guaranteed n log n comparisons. The stock sort takes n * n for adversarial lists: half a million numbers
-- take minutes, and it cannot be interrupted.
-- Stable; the list is not changed before all comparisons are done. Not here: short lists, for which the stock sort is
-- fast enough, and charging for sorting (call_depth.lua, order.lua).
local rawget, rawset, type = rawget, rawset, type

local function is_less(a, b) return a < b end

-- Lists longer than kShort are for merge.sort.
local merge = { kShort = 1000, is_less = is_less }

local function merge_runs(from, to, first, middle, last, comes_before)
  local left, right = first, middle
  for at = first, last - 1 do
    local a, b = from[left], from[right]
    if right < last and (left >= middle or comes_before(b, a)) then
      to[at] = b
      right = right + 1
    else
      to[at] = a
      left = left + 1
    end
  end
end

--- Sorts list[1 … count]; the list is read and written raw.
function merge.sort(list, count, comes_before)
  comes_before = comes_before or is_less
  local from, to = {}, {}
  for i = 1, count do from[i] = rawget(list, i) end
  local width = 1
  while width < count do
    for first = 1, count, 2 * width do
      local middle, last = first + width, first + 2 * width
      if middle > count + 1 then middle = count + 1 end
      if last > count + 1 then last = count + 1 end
      merge_runs(from, to, first, middle, last, comes_before)
    end
    from, to = to, from
    width = 2 * width
  end
  for i = 1, count do rawset(list, i, from[i]) end
end

local kShortText, kBytesPerStep = 4096, 256

--- The cost of comparing these texts in steps, beyond the comparisons themselves: long texts with a common prefix take
--- time by length.
function merge.text_steps(list, count, comparisons)
  local longest = 0
  for i = 1, count do
    local v = rawget(list, i)
    if type(v) == "string" and #v > longest then longest = #v end
  end
  return longest > kShortText and comparisons * longest / kBytesPerStep or 0
end

return merge
