// An example of a native plugin with events and buffers: every entity with a Position leaves a Trail of its
// past positions, and a Milestone event is sent when one has gone far enough.
//
// Trail, a buffer, and Position are the game's; the event is the plugin's own. Its two systems are in a
// separate group. docs/plugins.md explains it.
#include "perigee/engine/plugin/plugin_abi.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PLACES 32u

typedef struct Place {  // Position, and an element of Trail
    float x, y;
} Place;

typedef struct Milestone {
    PerigeeEntity who;
    float distance;
} Milestone;

typedef struct State {
    PerigeeComponent position, trail, milestone;
    uint64_t events_sent;
} State;

// The newest place is the last; the oldest is removed when there are many.
static int leave(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    const State* state = user;
    const PerigeeHost* host = context->host;
    const Place* position = chunk->columns[0];
    for (uint32_t i = 0; i < chunk->row_count; ++i) {
        const PerigeeEntity who = chunk->entities[i];
        uint32_t length;
        Place* places = host->buffer_edit(context, who, state->trail, &length);
        if (length == MOST_PLACES) {
            memmove(places, places + 1, (length - 1) * sizeof(Place));
            places[length - 1] = position[i];
        } else if (host->buffer_push(context, who, state->trail, &position[i]) != PERIGEE_OK) {
            host->fail(context, "no memory for a trail");
            return PERIGEE_FAILED;
        }
    }
    return PERIGEE_OK;
}

static int measure(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    const State* state = user;
    const PerigeeHost* host = context->host;
    for (uint32_t i = 0; i < chunk->row_count; ++i) {
        uint32_t length;
        const Place* places = host->buffer_read(context, chunk->entities[i], state->trail, &length);
        if (length != MOST_PLACES) continue;
        const float distance = hypotf(places[length - 1].x - places[0].x, places[length - 1].y - places[0].y);
        const Milestone milestone = {chunk->entities[i], distance};
        if (distance >= 100.0f) host->send_event(context, state->milestone, &milestone);
    }
    return PERIGEE_OK;
}

// Other systems can read the events too, in Lua for example.
static int tell(PerigeeContext* context, void* user) {
    State* state = user;
    uint32_t count;
    const Milestone* events = context->host->read_events(context, state->milestone, &count);
    for (uint32_t i = 0; i < count; ++i)
        if (events[i].distance >= 1000.0f) context->host->log(context->host, PERIGEE_LOG_INFO, "how fast!");
    state->events_sent += count;
    return PERIGEE_OK;
}

PERIGEE_PLUGIN(host, plugin) {
    static const PerigeeField place[] = {{"x", PERIGEE_F32, offsetof(Place, x), 0},
                                         {"y", PERIGEE_F32, offsetof(Place, y), 0}};
    static const PerigeeField milestone[] = {{"who", PERIGEE_ENTITY, offsetof(Milestone, who), 0},
                                             {"distance", PERIGEE_F32, offsetof(Milestone, distance), 0}};
    const PerigeeStruct positions = {"Position", PERIGEE_COMPONENT, sizeof(Place), place, 2};
    const PerigeeStruct trails = {"Trail", PERIGEE_BUFFER, sizeof(Place), place, 2};
    const PerigeeStruct milestones = {"Milestone", PERIGEE_EVENT, sizeof(Milestone), milestone, 2};

    State* state = calloc(1, sizeof *state);
    if (state == NULL) return PERIGEE_FAILED;
    plugin->version = "1.0";
    plugin->user = state;
    plugin->unload = free;
    state->position = host->bind(host, &positions);
    state->trail = host->bind(host, &trails);
    state->milestone = host->declare(host, &milestones);

    const PerigeeGroup group = {.name = "trail"};
    const PerigeeTerm leaving[] = {{state->position, PERIGEE_READ}, {state->trail, PERIGEE_WRITE}};
    const PerigeeTerm measuring[] = {{state->trail, PERIGEE_READ}, {state->milestone, PERIGEE_ALSO_WRITE}};
    const PerigeeTerm telling[] = {{state->milestone, PERIGEE_ALSO_READ}};
    const char* const after_leave[] = {"trail:leave"};
    const PerigeeSystem systems[] = {
        {.name = "trail:leave",
         .group = "trail",
         .terms = leaving,
         .term_count = 2,
         .is_parallel = 1,
         .user = state,
         .run_chunk = leave},
        {.name = "trail:measure",
         .group = "trail",
         .after = after_leave,
         .after_count = 1,
         .terms = measuring,
         .term_count = 2,
         .user = state,
         .run_chunk = measure},
        {.name = "trail:tell", .terms = telling, .term_count = 1, .user = state, .run = tell},
    };
    if (host->add_group(host, &group) != PERIGEE_OK) return PERIGEE_FAILED;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; ++i)
        if (host->add_system(host, &systems[i]) != PERIGEE_OK) return PERIGEE_FAILED;
    return PERIGEE_OK;
}
