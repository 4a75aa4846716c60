// Catch2's main, compiled once and linked by every test executable.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#ifdef __SANITIZE_ADDRESS__
// PhysFS 3.0.2 keeps 128 bytes of each archive that it opened from memory, which a reload does once.
extern "C" const char* __lsan_default_suppressions() { return "leak:libphysfs"; }
#endif
