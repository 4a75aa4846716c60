// A plugin built for a future interface. Its entry must never be called.
#include <stdint.h>
#include <stdlib.h>

extern const uint32_t perigee_plugin_abi;
__attribute__((visibility("default"))) const uint32_t perigee_plugin_abi = 4711;

int perigee_plugin(const void* host, void* plugin);
__attribute__((visibility("default"))) int perigee_plugin(const void* host, void* plugin) {
    (void)host;
    (void)plugin;
    abort();
}
