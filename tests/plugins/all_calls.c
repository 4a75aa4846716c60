// A plugin that makes every call of the interface: one system logs its lifecycle, one visits chunks, one
// spawns from several threads, and one carries out what the resource Order requests.
#include "perigee/engine/plugin/plugin_abi.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Kitchen {
    uint8_t flag, small[3];
    PerigeeEntity entity;
    float direction[3];
    uint8_t color[4];
    char label[8];
    float turn[4];
    float place[16];
} Kitchen;

typedef struct Order {
    PerigeeEntity subject;
    uint64_t answer;
    uint32_t number;
} Order;

typedef struct Number {  // of the event Ping, and of each element of the buffer Marks
    uint32_t number;
} Number;

typedef struct State {
    const PerigeeHost* host;
    PerigeeComponent position, velocity, frozen, shield, team, order, secret, kitchen, ping, marks;
} State;

// ---- lifecycle ----

static void say(const State* state, const char* what) {
    state->host->log(state->host, PERIGEE_LOG_INFO, what);
}

static int created(PerigeeContext* context, void* user) {
    const State* state = user;
    const Position place = {7, 7};
    say(state, "created");
    context->host->add(context, context->host->spawn(context), state->position, &place);
    return PERIGEE_OK;
}
static int started(PerigeeContext* context, void* user) {
    (void)context;
    say(user, "started");
    return PERIGEE_OK;
}
static int stopped(PerigeeContext* context, void* user) {
    (void)context;
    say(user, "stopped");
    return PERIGEE_OK;
}
static int destroyed(PerigeeContext* context, void* user) {
    (void)context;
    say(user, "destroyed");
    return PERIGEE_OK;
}
static int live(PerigeeContext* context, void* user) {
    (void)context;
    (void)user;
    return PERIGEE_OK;
}
static void unload(void* user) {
    say(user, "unloaded");
    free(user);
}

// ---- chunks ----

// x grows by one in rows whose shield is up, by the team's number where there is a team; y by the velocity.
static int visit(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    Position* position = chunk->columns[0];
    const Position* velocity = chunk->columns[1];
    const uint8_t* team = chunk->columns[3];
    (void)user;
    if (chunk->columns[4] != NULL) return PERIGEE_FAILED;  // of what rows lack there is no column
    for (uint32_t i = 0; i < chunk->row_count; ++i) {
        if (chunk->enabled != NULL && (chunk->enabled[i / 64] >> (i % 64) & 1) == 0) continue;
        position[i].x += team != NULL ? (float)*team : 1.0f;
        if (velocity != NULL) position[i].y += velocity[i].y * (float)context->dt;
        if (!context->host->is_alive(context, chunk->entities[i])) return PERIGEE_FAILED;
    }
    return PERIGEE_OK;
}

// ---- spawning from several threads ----

static int breed(PerigeeContext* context, const PerigeeChunk* chunk, void* user) {
    const State* state = user;
    const PerigeeHost* host = context->host;
    const Position* position = chunk->columns[0];
    if (host->random(context) != 0) return PERIGEE_FAILED;
    for (uint32_t i = 0; i < chunk->row_count; ++i) {
        if (position[i].x == -7) {
            host->send_event(context, state->ping, NULL);
            return PERIGEE_OK;
        }
        if (position[i].x < 0) {
            host->fail(context, "a negative place");
            host->fail(context, "not the first reason");
            return PERIGEE_FAILED;
        }
        const PerigeeEntity child = host->spawn(context);
        host->add(context, child, state->frozen, NULL);
        host->add(context, child, state->position, &position[i]);
    }
    return PERIGEE_OK;
}

// ---- carrying out orders ----

static void use_events_and_buffers(PerigeeContext* context, const State* state, Order* order) {
    const PerigeeHost* host = context->host;
    const PerigeeEntity it = order->subject;
    const Number number = {42}, three[] = {{1}, {2}, {3}};
    uint32_t count = 99;
    const Number* read = NULL;
    Number* edited = NULL;
    switch (order->number) {
        case 12:
            host->send_event(context, state->ping, &number);
            break;
        case 13:
            read = host->read_events(context, state->ping, &count);
            order->answer = count * 1000u + (read != NULL ? read[count - 1].number : 0);
            break;
        case 14:
            order->answer = (uint64_t)host->buffer_push(context, it, state->marks, &number);
            break;
        case 15:
            order->answer = (uint64_t)host->buffer_resize(context, it, state->marks, 5);
            break;
        case 16:
            edited = host->buffer_edit(context, it, state->marks, &count);
            for (uint32_t i = 0; i < count; ++i) ++edited[i].number;
            order->answer = count;
            break;
        case 17:
            read = host->buffer_read(context, it, state->marks, &count);
            for (uint32_t i = 0; i < count; ++i) order->answer += read[i].number;
            break;
        case 18:
            host->add_buffer(context, it, state->marks, three, 3);
            break;
        case 19:
            host->add_buffer(context, it, state->marks, NULL, 4);
            break;
        case 20:
            host->send_event(context, state->ping, NULL);
            break;
        // What fails.
        case 110:
            host->read_events(context, state->order, &count);
            break;
        case 111:
            host->buffer_push(context, it, state->velocity, NULL);
            break;
        case 112:
            host->buffer_read(context, it, state->velocity, &count);
            break;
        case 113:
            host->add_buffer(context, it, state->position, NULL, 1);
            break;
        case 114:
            host->add_buffer(context, it, state->order, NULL, 1);
            break;
        case 115:
            host->read_events(context, state->secret, NULL);
            break;
        case 116:
            host->add_buffer(context, it, state->marks, NULL, 4000000000u);
            break;
        default:
            break;
    }
}

static int obey(PerigeeContext* context, void* user) {
    const State* state = user;
    const PerigeeHost* host = context->host;
    Order* order = host->resource(context, state->order);
    const Position place = {1, 2};
    const PerigeeEntity it = order->subject;
    const Position* found = NULL;
    use_events_and_buffers(context, state, order);
    switch (order->number) {
        case 1:
            order->answer = host->spawn(context);
            break;
        case 2:
            order->answer = host->spawn_prefab(context, "mover");
            break;
        case 3:
            host->destroy(context, it);
            break;
        case 4:
            host->add(context, it, state->position, &place);
            break;
        case 5:
            host->remove(context, it, state->position);
            break;
        case 6:
            host->set(context, it, state->position, &place);
            break;
        case 7:
            host->set_enabled(context, it, state->shield, 0);
            break;
        case 8:
            order->answer = host->random(context);
            break;
        case 9:
            order->answer = (uint64_t)host->is_alive(context, it);
            break;
        case 10:
            found = host->get(context, it, state->velocity);
            order->answer = found != NULL ? (uint64_t)found->y : 1000;
            break;
        case 11:
            order->answer = context->tick;
            break;
        // What fails.
        case 101:
            host->spawn_prefab(context, "nobody");
            break;
        case 102:
            host->get(context, it, state->secret);
            break;
        case 103:
            host->get(context, it, 54321);
            break;
        case 104:
            host->add(context, it, 54321, NULL);
            break;
        case 105:
            host->set(context, it, state->position, NULL);
            break;
        case 106:
            host->add(context, it, state->order, NULL);
            break;
        case 107:
            host->fail(context, "no reason at all");
            return PERIGEE_FAILED;
        case 108:
            return 3;
        case 109:
            host->declare(host, NULL);
            return PERIGEE_FAILED;
        default:
            break;
    }
    return PERIGEE_OK;
}

// ---- entry ----

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

static void know_types(const PerigeeHost* host, State* state) {
    const PerigeeField kitchen_fields[] = {{"flag", PERIGEE_BOOL, offsetof(Kitchen, flag), 0},
                                           {"small", PERIGEE_U8, offsetof(Kitchen, small), 3},
                                           {"entity", PERIGEE_ENTITY, offsetof(Kitchen, entity), 0},
                                           {"direction", PERIGEE_VEC3, offsetof(Kitchen, direction), 0},
                                           {"color", PERIGEE_COLOR, offsetof(Kitchen, color), 0},
                                           {"label", PERIGEE_STRING, offsetof(Kitchen, label), 8},
                                           {"turn", PERIGEE_QUAT, offsetof(Kitchen, turn), 0},
                                           {"place", PERIGEE_MAT4, offsetof(Kitchen, place), 0}};
    const PerigeeField place_fields[] = {{"x", PERIGEE_F32, offsetof(Position, x), 0},
                                         {"y", PERIGEE_F32, offsetof(Position, y), 0}};
    const PerigeeField order_fields[] = {{"subject", PERIGEE_ENTITY, offsetof(Order, subject), 0},
                                         {"answer", PERIGEE_U64, offsetof(Order, answer), 0},
                                         {"number", PERIGEE_U32, offsetof(Order, number), 0}};
    const PerigeeStruct position = {"Position", PERIGEE_COMPONENT, sizeof(Position), place_fields, 2};
    const PerigeeStruct order = {"Order", PERIGEE_RESOURCE, sizeof(Order), order_fields, 3};
    const PerigeeStruct secret = {"Secret", PERIGEE_TAG, 0, NULL, 0};
    const PerigeeStruct kitchen = {"Kitchen", PERIGEE_COMPONENT, sizeof(Kitchen), kitchen_fields,
                                   COUNT(kitchen_fields)};
    const PerigeeField number_fields[] = {{"number", PERIGEE_U32, offsetof(Number, number), 0}};
    const PerigeeStruct ping = {"Ping", PERIGEE_EVENT, sizeof(Number), number_fields, 1};
    const PerigeeStruct marks = {"Marks", PERIGEE_BUFFER, sizeof(Number), number_fields, 1};
    state->ping = host->declare(host, &ping);
    state->marks = host->declare(host, &marks);
    state->position = host->bind(host, &position);
    state->order = host->declare(host, &order);
    state->secret = host->declare(host, &secret);
    state->kitchen = host->declare(host, &kitchen);
    state->velocity = host->find(host, "Velocity");
    state->frozen = host->find(host, "Frozen");
    state->shield = host->find(host, "Shield");
    state->team = host->find(host, "Team");
}

PERIGEE_PLUGIN(host, plugin) {
    State* state = malloc(sizeof *state);
    if (state == NULL) return PERIGEE_FAILED;
    state->host = host;
    plugin->version = "2.5";
    plugin->user = state;
    plugin->unload = unload;
    if (host->abi_version != PERIGEE_PLUGIN_ABI) return PERIGEE_FAILED;
    if (host->find(host, "nobody") != PERIGEE_NO_COMPONENT) return PERIGEE_FAILED;
    know_types(host, state);

    const PerigeeSystem living = {.name = "all:live",
                                  .group = "initialization",
                                  .every = 0.5,
                                  .user = state,
                                  .run = live,
                                  .on_create = created,
                                  .on_start = started,
                                  .on_stop = stopped,
                                  .on_destroy = destroyed};
    const PerigeeTerm visited[] = {{state->position, PERIGEE_WRITE},
                                   {state->velocity, PERIGEE_OPTIONAL_READ},
                                   {state->shield, PERIGEE_READ},
                                   {state->team, PERIGEE_OPTIONAL_READ},
                                   {state->frozen, PERIGEE_WITHOUT}};
    const char* const before_breeding[] = {"all:breed"};
    const PerigeeSystem visiting = {.name = "all:visit",
                                    .before = before_breeding,
                                    .before_count = 1,
                                    .terms = visited,
                                    .term_count = COUNT(visited),
                                    .run_chunk = visit};
    const PerigeeTerm bred[] = {
        {state->position, PERIGEE_READ}, {state->frozen, PERIGEE_WITHOUT}, {state->ping, PERIGEE_ALSO_WRITE}};
    const PerigeeSystem breeding = {.name = "all:breed",
                                    .terms = bred,
                                    .term_count = COUNT(bred),
                                    .is_parallel = 1,
                                    .user = state,
                                    .run_chunk = breed};
    const PerigeeTerm used[] = {{state->order, PERIGEE_ALSO_WRITE},
                                {state->velocity, PERIGEE_ALSO_READ},
                                {state->ping, PERIGEE_ALSO_WRITE},
                                {state->marks, PERIGEE_ALSO_WRITE}};
    const PerigeeGroup orders = {.name = "all:orders"};
    if (host->add_group(host, &orders) != PERIGEE_OK) return PERIGEE_FAILED;
    const PerigeeSystem obeying = {.name = "all:obey",
                                   .group = "all:orders",
                                   .terms = used,
                                   .term_count = COUNT(used),
                                   .user = state,
                                   .run = obey};
    const PerigeeSystem* const systems[] = {&living, &visiting, &breeding, &obeying};
    for (uint32_t i = 0; i < COUNT(systems); ++i)
        if (host->add_system(host, systems[i]) != PERIGEE_OK) return PERIGEE_FAILED;
    return PERIGEE_OK;
}
