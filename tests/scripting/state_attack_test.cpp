// What a hostile mod tries against its state; the scripts are tests/scripts/attacks/.
#include "scripting/state.h"
#include "tests/scripting/lua_test.h"

namespace perigee {
namespace {

TEST_CASE("depth of every kind is an error, not a crash") { run_script("attacks/nesting.lua"); }

}  // namespace
}  // namespace perigee
