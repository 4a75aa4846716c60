// A plugin as built for the first version of the interface: it must still load, and see that version.
#include "perigee/engine/plugin/plugin_abi.h"

#include <stddef.h>

#undef PERIGEE_PLUGIN_ABI
#define PERIGEE_PLUGIN_ABI 1u

typedef struct Count {
    uint32_t number;
} Count;

static PerigeeComponent g_count;

static int count(PerigeeContext* context, void* user) {
    Count* value = context->host->resource(context, g_count);
    (void)user;
    if (value == NULL || context->host->abi_version != 1u) return PERIGEE_FAILED;
    ++value->number;
    return PERIGEE_OK;
}

PERIGEE_PLUGIN(host, plugin) {
    static const PerigeeField fields[] = {{"number", PERIGEE_U32, offsetof(Count, number), 0}};
    const PerigeeStruct type = {"OldCount", PERIGEE_RESOURCE, sizeof(Count), fields, 1};
    (void)plugin;
    if (host->abi_version != 1u) return PERIGEE_FAILED;
    g_count = host->declare(host, &type);
    const PerigeeTerm written[] = {{g_count, PERIGEE_ALSO_WRITE}};
    const PerigeeSystem counting = {.name = "old:count", .terms = written, .term_count = 1, .run = count};
    return host->add_system(host, &counting);
}
