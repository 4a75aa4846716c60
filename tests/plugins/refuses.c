// A plugin that adds a system and then fails without a reason.
#include "perigee/engine/plugin/plugin_abi.h"

#include <stddef.h>

static int nothing(PerigeeContext* context, void* user) {
    (void)context;
    (void)user;
    return PERIGEE_OK;
}

PERIGEE_PLUGIN(host, plugin) {
    const PerigeeSystem system = {.name = "refuses:nothing", .run = nothing};
    (void)plugin;
    host->add_system(host, &system);
    return 7;
}
