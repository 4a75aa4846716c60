// The C interface of native plugins: shared objects with systems that run together with those in C++ and Lua.
//
// A plugin exports two things, which PERIGEE_PLUGIN writes: the interface version it was built for, and the
// function perigee_plugin, which is called once, before the game's main.lua, and declares everything. Plain
// C11; nothing here allocates, throws or uses C++. docs/plugins.md is the guide.
//
// Invariant: the layout of this file belongs to PERIGEE_PLUGIN_ABI; every change to it changes the number. A
// new version only adds at the end of PerigeeHost and of enums, so a host loads plugins of all versions from
// PERIGEE_OLDEST_PLUGIN_ABI to its own, and refuses others. Data passed by a plugin is copied; data passed to
// it is valid for the call. A plugin is machine code in the host's process, without a sandbox.
#pragma once

#include <stdint.h>

// 2: events, buffers, groups. 3: quat, mat4. 4: jobs.
#define PERIGEE_PLUGIN_ABI 4u
#define PERIGEE_OLDEST_PLUGIN_ABI 1u

#ifdef __cplusplus
#define PERIGEE_NOEXCEPT noexcept
#define PERIGEE_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define PERIGEE_NOEXCEPT
#define PERIGEE_EXPORT extern __attribute__((visibility("default")))
#endif

typedef uint64_t PerigeeEntity;     // 0: none
typedef uint16_t PerigeeComponent;  // a component, tag or resource type of this world

#define PERIGEE_NO_COMPONENT ((PerigeeComponent)0xFFFF)

// Results of calls into the plugin; any other number is a failure. PerigeeHost::fail gives the reason.
#define PERIGEE_OK 0
#define PERIGEE_FAILED 1

typedef struct PerigeeHost PerigeeHost;
typedef struct PerigeeContext PerigeeContext;
typedef struct PerigeeChunk PerigeeChunk;

// ---- types ------------------------------------------------------------------------------------------------

enum {  // PerigeeField::type
    PERIGEE_BOOL = 1,
    PERIGEE_I8 = 2,
    PERIGEE_U8 = 3,
    PERIGEE_I16 = 4,
    PERIGEE_U16 = 5,
    PERIGEE_I32 = 6,
    PERIGEE_U32 = 7,
    PERIGEE_I64 = 8,
    PERIGEE_U64 = 9,
    PERIGEE_F32 = 10,
    PERIGEE_F64 = 11,
    PERIGEE_VEC2 = 12,    // float[2]
    PERIGEE_VEC3 = 13,    // float[3]
    PERIGEE_VEC4 = 14,    // float[4]
    PERIGEE_COLOR = 15,   // uint8_t[4]: r, g, b, a
    PERIGEE_ENTITY = 16,  // PerigeeEntity
    PERIGEE_STRING = 17,  // char[count], padded with zeros
    PERIGEE_QUAT = 18,    // float[4]: x, y, z, w; since version 3
    PERIGEE_MAT4 = 19     // float[16], column by column; since version 3
};

enum {  // PerigeeStruct::kind
    PERIGEE_COMPONENT = 0,
    PERIGEE_TAG = 1,         // no fields
    PERIGEE_ENABLEABLE = 2,  // a component that can be enabled and disabled per entity
    PERIGEE_SHARED = 3,      // one value per chunk
    PERIGEE_RESOURCE = 4,    // one value per world
    PERIGEE_BUFFER = 5,      // a list per entity; the struct is one element
    PERIGEE_EVENT = 6        // sent and read, not tied to an entity; may have no fields
};

// One member of a C struct: { "x", PERIGEE_F32, offsetof(Position, x), 0 }
typedef struct PerigeeField {
    const char* name;
    uint32_t type;
    uint32_t offset;  // bytes
    uint32_t count;   // elements of an array, bytes of a string; 0: a single value
} PerigeeField;

// A C struct as a schema. Members are in order, with C's padding.
typedef struct PerigeeStruct {
    const char* name;
    uint32_t kind;
    uint32_t size;  // sizeof; 0 for tags
    const PerigeeField* fields;
    uint32_t field_count;
} PerigeeStruct;

// ---- systems ----------------------------------------------------------------------------------------------

enum {  // PerigeeTerm::access
    PERIGEE_READ = 0,
    PERIGEE_WRITE = 1,
    PERIGEE_WITHOUT = 2,        // rows that lack it
    PERIGEE_OPTIONAL_READ = 3,  // its column is null if the rows lack it
    PERIGEE_OPTIONAL_WRITE = 4,
    PERIGEE_ALSO_READ = 5,  // besides the rows: resources, events, and components of other entities
    PERIGEE_ALSO_WRITE = 6
};

typedef struct PerigeeTerm {
    PerigeeComponent component;
    uint16_t access;
} PerigeeTerm;

#define PERIGEE_MAX_TERMS 32u

// A view of consecutive rows. Row i of each column is the same entity.
struct PerigeeChunk {
    uint32_t row_count;
    uint32_t index;                 // number of the chunk in this run, from 0
    const PerigeeEntity* entities;  // row_count of them
    // One per term of the system, in its order: row_count structs, or the chunk's one value of a shared
    // component; null for tags, for buffers (see PerigeeHost::buffer_read), for absent components, and for
    // terms that are not rows. Columns declared as read must not be written.
    void* const* columns;
    // One bit per row, lowest first: set if the row passes the enableable components. Null: every row does.
    const uint64_t* enabled;
};

// What a call may use. Valid for the call.
struct PerigeeContext {
    const PerigeeHost* host;
    double dt;       // seconds of one fixed step
    double time;     // seconds since the game began, in fixed steps
    double elapsed;  // seconds of fixed steps since this system's last run
    uint64_t tick;   // number of the step
};

typedef int (*PerigeeCall)(PerigeeContext* context, void* user) PERIGEE_NOEXCEPT;
typedef int (*PerigeeChunkCall)(PerigeeContext* context, const PerigeeChunk* chunk,
                                void* user) PERIGEE_NOEXCEPT;

// A system; see ecs/schedule/system.h. Fill it with zeros first: null or 0 means omitted.
typedef struct PerigeeSystem {
    const char* name;   // unique in the game: "plugin:what it does"
    const char* group;  // null: "simulation"
    const char* const* before;
    uint32_t before_count;
    uint32_t after_count;
    const char* const* after;
    double every;  // seconds between runs; 0: every step
    const PerigeeTerm* terms;
    uint32_t term_count;
    // 1: run_chunk is called from several threads at once, on different chunks. The result, including the ids
    // of new entities, is the same for any number of threads.
    uint32_t is_parallel;

    void* user;                  // passed to each call
    PerigeeCall run;             // once per run, before the chunks
    PerigeeChunkCall run_chunk;  // once per chunk with rows

    PerigeeCall on_create;   // once, when it is added; a failure rejects the system
    PerigeeCall on_start;    // before the first run, and before the first after it was disabled
    PerigeeCall on_stop;     // when it is disabled or removed, if it was started
    PerigeeCall on_destroy;  // once, when it is removed
} PerigeeSystem;

// A group of systems inside another one, ordered among its siblings like a system; see ecs/schedule/system.h.
// Fill it with zeros first.
typedef struct PerigeeGroup {
    const char* name;   // unique in the game, among systems and groups
    const char* group;  // the parent group; null: "simulation"
    const char* const* before;
    uint32_t before_count;
    uint32_t after_count;
    const char* const* after;
    double every;  // seconds between runs; 0: every step
} PerigeeGroup;

// Work that systems of C++ and Lua start by name and wait for; see ecs/schedule/named_jobs.h. Since
// version 4. Fill it with zeros first. Its calls run on any thread, beside the system that started it: they
// have neither commands nor events nor random numbers.
typedef struct PerigeeJob {
    const char* name;          // unique in the game: "plugin:what it does"
    const PerigeeTerm* terms;  // a system that starts it declares them too; neither events nor objects
    uint32_t term_count;
    uint32_t reserved;           // 0
    void* user;                  // passed to each call
    PerigeeCall run;             // once, before the chunks
    PerigeeChunkCall run_chunk;  // once per chunk with rows, on several threads at once
} PerigeeJob;

// ---- functions of the host --------------------------------------------------------------------------------

enum {  // PerigeeHost::log
    PERIGEE_LOG_INFO = 0,
    PERIGEE_LOG_WARNING = 1,
    PERIGEE_LOG_ERROR = 2
};

struct PerigeeHost {
    uint32_t abi_version;  // the version the plugin was built for; do not use later members

    // ---- for perigee_plugin only. An error is recorded and rejects the plugin.

    // Declares a type, or checks that the existing one matches. PERIGEE_NO_COMPONENT: an error.
    PerigeeComponent (*declare)(const PerigeeHost* host, const PerigeeStruct* type) PERIGEE_NOEXCEPT;
    // The game's type of that name, if its layout matches. PERIGEE_NO_COMPONENT: an error.
    PerigeeComponent (*bind)(const PerigeeHost* host, const PerigeeStruct* type) PERIGEE_NOEXCEPT;
    // PERIGEE_NO_COMPONENT when there is none, which is not an error.
    PerigeeComponent (*find)(const PerigeeHost* host, const char* name) PERIGEE_NOEXCEPT;
    // Returns PERIGEE_OK or PERIGEE_FAILED.
    int (*add_system)(const PerigeeHost* host, const PerigeeSystem* system) PERIGEE_NOEXCEPT;

    // ---- anywhere

    void (*log)(const PerigeeHost* host, int level, const char* text) PERIGEE_NOEXCEPT;

    // ---- in calls of a system

    // Sets the reason for a failure that is about to be returned. The first one counts.
    void (*fail)(PerigeeContext* context, const char* reason) PERIGEE_NOEXCEPT;
    // A number of the system's own random stream, all 64 bits. Not in chunks of a parallel system: 0.
    uint64_t (*random)(PerigeeContext* context) PERIGEE_NOEXCEPT;
    // The value of a resource that the system declared. If it did not, returns null and the run fails.
    void* (*resource)(PerigeeContext* context, PerigeeComponent resource)PERIGEE_NOEXCEPT;
    // A component of any entity, read-only. Null if absent. If the system did not declare it, returns null
    // and the run fails.
    const void* (*get)(PerigeeContext* context, PerigeeEntity entity,
                       PerigeeComponent component)PERIGEE_NOEXCEPT;
    int (*is_alive)(PerigeeContext* context, PerigeeEntity entity) PERIGEE_NOEXCEPT;

    // ---- commands of a system: carried out at the end of its group; dropped when it fails. A component that
    // ---- commands may not change fails the run. See ecs/commands/command_buffer.h.

    // 0 when the world is full. In a chunk of a parallel system: an id for commands of the same call only.
    PerigeeEntity (*spawn)(PerigeeContext* context) PERIGEE_NOEXCEPT;
    // With the components of a prefab; an unknown name gives 0 and fails the run.
    PerigeeEntity (*spawn_prefab)(PerigeeContext* context, const char* name) PERIGEE_NOEXCEPT;
    void (*destroy)(PerigeeContext* context, PerigeeEntity entity) PERIGEE_NOEXCEPT;
    // `value`: the struct, copied now; null for the defaults.
    void (*add)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                const void* value) PERIGEE_NOEXCEPT;
    void (*remove)(PerigeeContext* context, PerigeeEntity entity,
                   PerigeeComponent component) PERIGEE_NOEXCEPT;
    void (*set)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                const void* value) PERIGEE_NOEXCEPT;
    void (*set_enabled)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                        int is_enabled) PERIGEE_NOEXCEPT;

    // ==== since version 2 ====

    // For perigee_plugin only. A group that already exists in the same place is not an error; it stays when
    // the plugin is unloaded.
    int (*add_group)(const PerigeeHost* host, const PerigeeGroup* group) PERIGEE_NOEXCEPT;

    // ---- events, in calls of a system that declares them as PERIGEE_ALSO_READ or PERIGEE_ALSO_WRITE

    // The events since the system's last run: `*count` structs, valid until the end of the run. Null when
    // there are none.
    const void* (*read_events)(PerigeeContext* context, PerigeeComponent event,
                               uint32_t* count)PERIGEE_NOEXCEPT;
    // Delivered at the end of the group. `value`: the struct, copied now; null for the defaults. In chunks of
    // a parallel system it fails the run.
    void (*send_event)(PerigeeContext* context, PerigeeComponent event, const void* value) PERIGEE_NOEXCEPT;

    // ---- buffers, of an entity that has one: rows of the query, or others that the system declares. In
    // ---- chunks of a parallel system: of the chunk's own rows.

    // The elements, `*length` structs, until the buffer grows or shrinks or the run ends. Null, and 0, when
    // the entity has no such buffer. buffer_edit needs write access.
    const void* (*buffer_read)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                               uint32_t* length)PERIGEE_NOEXCEPT;
    void* (*buffer_edit)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                         uint32_t* length)PERIGEE_NOEXCEPT;
    // buffer_push appends an element, null for the defaults. buffer_resize changes the length; new elements
    // have the defaults. Both need write access. PERIGEE_FAILED, without a change: the entity has no such
    // buffer, or memory is exhausted.
    int (*buffer_push)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                       const void* element) PERIGEE_NOEXCEPT;
    int (*buffer_resize)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                         uint32_t length) PERIGEE_NOEXCEPT;
    // A command: adds the buffer if it is missing and sets its elements. Null for the defaults.
    void (*add_buffer)(PerigeeContext* context, PerigeeEntity entity, PerigeeComponent component,
                       const void* elements, uint32_t count) PERIGEE_NOEXCEPT;

    // ==== since version 4 ====

    // For perigee_plugin only. Returns PERIGEE_OK or PERIGEE_FAILED.
    int (*add_job)(const PerigeeHost* host, const PerigeeJob* job) PERIGEE_NOEXCEPT;
};

// ---- the plugin -------------------------------------------------------------------------------------------

// Filled in by perigee_plugin; everything may stay zero.
typedef struct PerigeePlugin {
    const char* version;  // for messages
    void* user;
    void (*unload)(void* user) PERIGEE_NOEXCEPT;  // last call, after all its systems are removed
} PerigeePlugin;

typedef int (*PerigeePluginEntry)(const PerigeeHost* host, PerigeePlugin* plugin) PERIGEE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

// Begins the definition of a plugin's entry function:
//
//     PERIGEE_PLUGIN(host, plugin) {
//         …
//         return PERIGEE_OK;
//     }
//
// One process may load a plugin for several games, and again when a game restarts: keep per-game data behind
// `user` pointers, not in globals.
#define PERIGEE_PLUGIN(host, plugin)                                                        \
    PERIGEE_EXPORT const uint32_t perigee_plugin_abi;                                       \
    const uint32_t perigee_plugin_abi = PERIGEE_PLUGIN_ABI;                                 \
    PERIGEE_EXPORT int perigee_plugin(const PerigeeHost*, PerigeePlugin*) PERIGEE_NOEXCEPT; \
    int perigee_plugin(const PerigeeHost* host, PerigeePlugin* plugin) PERIGEE_NOEXCEPT
