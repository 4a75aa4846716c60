// An example of a native plugin: a wind that blows on everything that has a Velocity.
//
// It declares a resource of its own, Wind, uses a component that the game declares, Velocity, and adds two
// systems: one turns the wind, one blows, on all worker threads. docs/plugins.md quotes this file.
#include "perigee/engine/plugin/plugin_abi.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct Velocity {
    float x, y;
} Velocity;

typedef struct Wind {
    float x, y;
} Wind;

// What belongs to one game; a process may run several.
typedef struct State {
    PerigeeComponent velocity, wind;
} State;

static int turn(PerigeeContext* context, void* user) {
    const State* state = user;
    Wind* wind = context->host->resource(context, state->wind);
    if (wind == NULL) return PERIGEE_FAILED;
    wind->x = 30.0f * (float)cos(context->time);
    wind->y = 30.0f * (float)sin(context->time);
    return PERIGEE_OK;
}

static int blow(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    const State* state = user;
    const Wind* wind = context->host->resource(context, state->wind);
    Velocity* velocity = chunk->columns[0];
    if (wind == NULL) return PERIGEE_FAILED;
    for (uint32_t i = 0; i < chunk->row_count; ++i) {
        velocity[i].x += wind->x * (float)context->dt;
        velocity[i].y += wind->y * (float)context->dt;
    }
    return PERIGEE_OK;
}

PERIGEE_PLUGIN(host, plugin) {
    static const PerigeeField velocity_fields[] = {{"x", PERIGEE_F32, offsetof(Velocity, x), 0},
                                                   {"y", PERIGEE_F32, offsetof(Velocity, y), 0}};
    static const PerigeeField wind_fields[] = {{"x", PERIGEE_F32, offsetof(Wind, x), 0},
                                               {"y", PERIGEE_F32, offsetof(Wind, y), 0}};
    const PerigeeStruct velocity = {"Velocity", PERIGEE_COMPONENT, sizeof(Velocity), velocity_fields, 2};
    const PerigeeStruct wind = {"Wind", PERIGEE_RESOURCE, sizeof(Wind), wind_fields, 2};

    State* state = malloc(sizeof *state);
    if (state == NULL) return PERIGEE_FAILED;
    plugin->version = "1.0";
    plugin->user = state;
    plugin->unload = free;
    state->velocity = host->bind(host, &velocity);  // the game's: an error if it is missing or differs
    state->wind = host->declare(host, &wind);       // ours

    const PerigeeTerm writes_wind[] = {{state->wind, PERIGEE_ALSO_WRITE}};
    const PerigeeSystem turning = {
        .name = "wind:turn", .terms = writes_wind, .term_count = 1, .user = state, .run = turn};
    const PerigeeTerm blown[] = {{state->velocity, PERIGEE_WRITE}, {state->wind, PERIGEE_ALSO_READ}};
    const char* const after[] = {"wind:turn"};
    const PerigeeSystem blowing = {.name = "wind:blow",
                                   .after = after,
                                   .after_count = 1,
                                   .terms = blown,
                                   .term_count = 2,
                                   .is_parallel = 1,
                                   .user = state,
                                   .run_chunk = blow};
    host->add_system(host, &turning);
    return host->add_system(host, &blowing);
}
