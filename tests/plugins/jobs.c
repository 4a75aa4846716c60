// A plugin with jobs: one moves every Position, one sums them into the resource Sum, and some do what jobs
// cannot.
#include "perigee/engine/plugin/plugin_abi.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Sum {
    double x;
} Sum;

typedef struct State {
    PerigeeComponent position, sum;
} State;

static int push_chunk(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    (void)context;
    (void)user;
    Position* places = chunk->columns[0];
    for (uint32_t i = 0; i < chunk->row_count; ++i) places[i].x += 1;
    return PERIGEE_OK;
}

static int clear(PerigeeContext* context, void* user) {
    const State* state = user;
    Sum* sum = context->host->resource(context, state->sum);
    if (sum == NULL) return PERIGEE_FAILED;
    sum->x = context->dt;
    return PERIGEE_OK;
}

static int spawns(PerigeeContext* context, void* user) {
    (void)user;
    context->host->spawn(context);
    return PERIGEE_OK;
}

static int reads_undeclared(PerigeeContext* context, void* user) {
    const State* state = user;
    context->host->resource(context, state->sum);
    return PERIGEE_OK;
}

static int draws_lots(PerigeeContext* context, void* user) {
    (void)user;
    if (context->host->random(context) == 0) context->host->fail(context, "no luck in a job");
    return PERIGEE_OK;
}

PERIGEE_PLUGIN(host, plugin) {
    const PerigeeField places[] = {{"x", PERIGEE_F32, offsetof(Position, x), 0},
                                   {"y", PERIGEE_F32, offsetof(Position, y), 0}};
    const PerigeeField sums[] = {{"x", PERIGEE_F64, 0, 0}};
    const PerigeeStruct position = {"Position", PERIGEE_COMPONENT, sizeof(Position), places, 2};
    const PerigeeStruct sum = {"Sum", PERIGEE_RESOURCE, sizeof(Sum), sums, 1};
    State* state = malloc(sizeof *state);
    if (state == NULL) return PERIGEE_FAILED;
    plugin->user = state;
    plugin->unload = free;
    state->position = host->bind(host, &position);
    state->sum = host->declare(host, &sum);

    const PerigeeTerm moved[] = {{state->position, PERIGEE_WRITE}};
    const PerigeeTerm summed[] = {{state->sum, PERIGEE_ALSO_WRITE}};
    const PerigeeJob jobs[] = {
        {.name = "jobs:push", .terms = moved, .term_count = 1, .user = state, .run_chunk = push_chunk},
        {.name = "jobs:clear", .terms = summed, .term_count = 1, .user = state, .run = clear},
        {.name = "jobs:spawn", .user = state, .run = spawns},
        {.name = "jobs:look", .user = state, .run = reads_undeclared},
        {.name = "jobs:random", .user = state, .run = draws_lots},
    };
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i)
        if (host->add_job(host, &jobs[i]) != PERIGEE_OK) return PERIGEE_FAILED;
    return PERIGEE_OK;
}
