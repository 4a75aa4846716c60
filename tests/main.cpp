// The main function of every test program, compiled once. Tests need no display and no sound card, and use
// none if the machine has them.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
// PhysFS 3.0.2 keeps 128 bytes of each archive that it opened from memory, which a reload does once.
extern "C" const char* __lsan_default_suppressions() { return "leak:libphysfs"; }
#endif

int main(int argc, char** argv) {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    return Catch::Session().run(argc, argv);
}
