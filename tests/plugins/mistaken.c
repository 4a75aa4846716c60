// A plugin that makes every possible error and returns success.
#include "perigee/engine/plugin/plugin_abi.h"

#include <stddef.h>

static int fine(PerigeeContext* context, void* user) {
    (void)context;
    (void)user;
    return PERIGEE_OK;
}

static int fine_chunk(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    (void)context;
    (void)chunk;
    (void)user;
    return PERIGEE_OK;
}

static int refuse(PerigeeContext* context, void* user) {
    (void)user;
    context->host->fail(context, "not in this weather");
    return PERIGEE_FAILED;
}

static void wrong_types(const PerigeeHost* host) {
    const PerigeeField moved[] = {{"x", PERIGEE_F32, 4, 0}, {"y", PERIGEE_F32, 0, 0}};
    const PerigeeField unknown[] = {{"x", 99, 0, 0}};
    const PerigeeStruct types[] = {
        {NULL, PERIGEE_TAG, 0, NULL, 0},
        {"Odd", 17, 0, NULL, 0},
        {"Hollow", PERIGEE_COMPONENT, 4, NULL, 1},
        {"Strange", PERIGEE_COMPONENT, 4, unknown, 1},
        {"Position", PERIGEE_COMPONENT, 8, moved, 2},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) host->declare(host, &types[i]);
    const PerigeeStruct missing = {"Missing", PERIGEE_TAG, 0, NULL, 0};
    host->bind(host, &missing);
    host->bind(host, &types[0]);
}

static void wrong_systems(const PerigeeHost* host) {
    const PerigeeTerm unknown[] = {{12345, PERIGEE_READ}};
    const PerigeeTerm access[] = {{0, 77}};
    const PerigeeTerm no_rows[] = {{0, PERIGEE_ALSO_READ}};
    const char* const null_name[] = {NULL};
    const PerigeeSystem systems[] = {
        {.run = fine},
        {.name = "idle"},
        {.name = "greedy", .run = fine, .terms = unknown, .term_count = PERIGEE_MAX_TERMS + 1},
        {.name = "lost", .run = fine, .terms = unknown, .term_count = 1},
        {.name = "odd", .run = fine, .terms = access, .term_count = 1},
        {.name = "blind", .run_chunk = fine_chunk, .terms = no_rows, .term_count = 1},
        {.name = "late", .run = fine, .after = null_name, .after_count = 1},
        {.name = "taken", .run = fine},
        {.name = "stray", .run = fine, .group = "nowhere"},
        {.name = "moody", .run = fine, .on_create = refuse},
    };
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; ++i) host->add_system(host, &systems[i]);
    host->add_system(host, NULL);
    const PerigeeJob jobs[] = {
        {.run = fine},
        {.name = "lazy"},
        {.name = "forlorn", .run = fine, .terms = unknown, .term_count = 1},
    };
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i) host->add_job(host, &jobs[i]);
}

static void wrong_groups(const PerigeeHost* host) {
    const char* const null_name[] = {NULL};
    const PerigeeGroup groups[] = {
        {.every = 1},
        {.name = "hasty", .before = null_name, .before_count = 1},
        {.name = "taken"},
        {.name = "homeless", .group = "elsewhere"},
    };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) host->add_group(host, &groups[i]);
    host->add_group(host, NULL);
}

PERIGEE_PLUGIN(host, plugin) {
    (void)plugin;
    wrong_types(host);
    wrong_groups(host);
    wrong_systems(host);
    return PERIGEE_OK;
}
