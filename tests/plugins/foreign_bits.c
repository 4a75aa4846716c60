// A plugin that writes random bits, including forged values, wherever it can write floats: columns,
// commands, a resource, events and buffers. The same bits are next to them as integers.
#include "perigee/engine/plugin/plugin_abi.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    float narrow;
    uint32_t narrow_bits;
    double wide;
    uint32_t low, high;
} Row;

typedef struct State {
    PerigeeComponent row, score, ping, list;
    uint64_t random;
} State;

static uint64_t next(State* state) {
    state->random ^= state->random << 13;
    state->random ^= state->random >> 7;
    state->random ^= state->random << 17;
    return state->random;
}

static Row random_row(State* state) {
    const uint64_t kind = next(state) % 3;
    uint64_t wide = next(state);
    uint32_t narrow = (uint32_t)(next(state) >> 16);
    Row row;
    if (kind == 0) wide |= 0xFFF8000000000000u, narrow |= 0xFF800000u;
    if (kind == 1) wide = 0xFFFA000041414141u, narrow = (narrow & 0x807FFFFFu) | 0x7F800000u;
    memcpy(&row.narrow, &narrow, sizeof narrow);
    memcpy(&row.wide, &wide, sizeof wide);
    row.narrow_bits = narrow;
    row.low = (uint32_t)wide;
    row.high = (uint32_t)(wide >> 32);
    return row;
}

static int fill(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    State* state = user;
    const PerigeeHost* host = context->host;
    Row* rows = chunk->columns[0];
    Row row;
    for (uint32_t i = 0; i < chunk->row_count; ++i) {
        row = random_row(state);
        memcpy(&rows[i], &row, sizeof row);
    }
    row = random_row(state);
    memcpy(host->resource(context, state->score), &row, sizeof row);
    row = random_row(state);
    host->send_event(context, state->ping, &row);
    row = random_row(state);
    host->buffer_push(context, chunk->entities[0], state->list, &row);
    row = random_row(state);
    host->add(context, host->spawn(context), state->row, &row);
    return PERIGEE_OK;
}

PERIGEE_PLUGIN(host, plugin) {
    static const PerigeeField fields[] = {{"narrow", PERIGEE_F32, offsetof(Row, narrow), 0},
                                          {"narrow_bits", PERIGEE_U32, offsetof(Row, narrow_bits), 0},
                                          {"wide", PERIGEE_F64, offsetof(Row, wide), 0},
                                          {"low", PERIGEE_U32, offsetof(Row, low), 0},
                                          {"high", PERIGEE_U32, offsetof(Row, high), 0}};
    const PerigeeStruct row = {"Row", PERIGEE_COMPONENT, sizeof(Row), fields, 5};
    const PerigeeStruct score = {"Score", PERIGEE_RESOURCE, sizeof(Row), fields, 5};
    const PerigeeStruct ping = {"Ping", PERIGEE_EVENT, sizeof(Row), fields, 5};
    const PerigeeStruct list = {"List", PERIGEE_BUFFER, sizeof(Row), fields, 5};
    State* state = malloc(sizeof *state);
    if (state == NULL) return PERIGEE_FAILED;
    plugin->user = state;
    plugin->unload = free;
    state->random = 88172645463325252u;
    state->row = host->bind(host, &row);
    state->score = host->bind(host, &score);
    state->ping = host->bind(host, &ping);
    state->list = host->bind(host, &list);
    const PerigeeTerm terms[] = {{state->row, PERIGEE_WRITE},
                                 {state->score, PERIGEE_ALSO_WRITE},
                                 {state->ping, PERIGEE_ALSO_WRITE},
                                 {state->list, PERIGEE_ALSO_WRITE}};
    const PerigeeSystem filling = {
        .name = "foreign:fill", .terms = terms, .term_count = 4, .user = state, .run_chunk = fill};
    return host->add_system(host, &filling);
}
