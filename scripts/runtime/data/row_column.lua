-- Columns of values outside a chunk's memory: chunk.Path[i] and chunk.Brain[i], which are looked up by the entity of
-- the row.
-- Invariant: as for other columns (view.lua), the mod's object stores its epoch, and using it is an error once C++ has
-- armed the view under another.
-- Not here: the entries (buffer.lua, object.lua).
local need = ...
local fail, layout = need "fail", need "layout"
local ID = need "component".id_name
local ffi = require("ffi")
local type, format, tonumber, cast, new = type, string.format, tonumber, ffi.cast, ffi.new

local row_column = {}
local E = layout.epoch_name
local long_pointer = ffi.typeof("int64_t *")

--- `read(entity)` returns the entry of a row, `write(entity, value)` replaces it. `where` and `what` name the column in
--- messages and in tostring; `not_row(key)` may raise a better message for a key that is not a number. function(epoch)
--- -> the column, while `view` is lent under this epoch (a pointer's bits); and the type of it.
function row_column.make(view, entity_view, where, what, read, write, not_row)
  local lent = cast(layout.lent_pointer, view)
  local function expect_lent(column)
    if lent.epoch ~= column[E] or lent.epoch == nil then fail.column_ended(where) end
  end
  local function entity_at(column, i)
    if type(i) ~= "number" then
      if not_row then not_row(i) end
      fail.raise(format("%s: a row index must be a number, got %s", where, type(i)))
    end
    expect_lent(column)
    local k = i - 1ULL
    if k < view.count then return (tonumber(cast(long_pointer, entity_view.address)[k])) end
    fail.row_out_of_range(where, i, view.count)
  end
  local ctype = layout.dressed(layout.epoch_text, {
    __index = function(column, i)
      if i == ID then return nil end
      return (read(entity_at(column, i)))
    end,
    __newindex = function(column, i, value) write(entity_at(column, i), value) end,
    __len = function(column)
      expect_lent(column)
      return view.count
    end,
    __tostring = function() return what .. where end,
  }, E)
  return function(epoch) return (new(ctype, epoch)) end, ctype
end

return row_column
