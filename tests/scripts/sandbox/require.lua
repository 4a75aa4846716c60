-- require: files of the mod, once each, and nothing outside.
local t = require "harness"

t.equal(require "lib.once", require "lib/once")
t.equal(require("lib.once").count, 1)
t.equal(require("lib.once.lua"), require "lib.once")
t.equal(require "lib.silent", true)

for _, path in ipairs {
  "../secret", "lib/../../secret", "/etc/passwd", "lib//once", "lib\\once", "c:once", "", ".", "..", "lib.", ".lib",
  "lib/", "a\0b", "lib/once\0", "~", "lib/./once",
} do
  t.fails("not found", require, path)
end
t.fails("string expected, got table", require, {})
t.fails("file 'test/lib/nowhere.lua' does not exist", require, "lib.nowhere")
t.fails("is a directory", require, "lib.folder")
t.fails("did you mean 'string'?", require, "strin")
t.fails("cycle: lib/cycle_a.lua -> lib/cycle_b.lua -> lib/cycle_a.lua", require, "lib.cycle_a")
t.fails("test/lib/broken.lua:2:", require, "lib.broken")
t.fails("test/lib/failing.lua:2: on purpose", require, "lib.failing")
t.fails("test/lib/failing.lua:2: on purpose", require, "lib.failing")  -- not kept after a failure
t.equal(global_of_once, "set by lib/once.lua")
