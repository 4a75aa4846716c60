// The memory that C++ and trusted Lua share: columns, chunks, running systems, mods, values of objects. This
// plain C is compiled into C++ and embedded in the program, where scripts/runtime/layout.lua declares it to
// LuaJIT's FFI; the types are written down nowhere else. Their C++ names are in view.h.
//
// Invariant: only declarations that C, C++ and the FFI understand, and fixed sizes: pointers have 64 bits,
// and no padding is left to the compiler. Lua skips the lines with a '#'. Not here: when the memory may be
// read (view.h).
#pragma once

#include <stdint.h>

// NOLINTBEGIN(modernize-use-using): C has no other word for it.

// One column of one chunk, or the one value of a shared or chunk component, as Lua sees it.
typedef struct {
    uint64_t address;    // of row 0; 0: disarmed, or absent
    int32_t count;       // rows; views of a chunk are checked against perigee_state.lent_rows instead
    uint32_t first_row;  // number of row 0 in the chunk: the index of its enabled bit in `mask`
    uint64_t epoch;      // number of the visit; 0: none. Columns and proxies compare theirs
    uint64_t self;       // own address, for proxies
    uint64_t mask;       // address of the chunk's enabled bits; 0: none
} perigee_view;

// A perigee_view again, twice, typed for compiled loops. They reload values that a store to a column may have
// changed, and assume that a store never changes another machine type: starts and epochs are pointers, which
// no column contains, and the count is a short for columns of 32-bit integers.
typedef struct {
    void* start;
    int32_t count;
    uint32_t first_row;
    void* epoch;
    uint64_t self;
    void* mask;
} perigee_lent;
typedef struct {
    void* start;
    uint16_t count, high;
    uint32_t first_row;
    void* epoch;
} perigee_lent_short;

// Read by chunk.count, chunk.index, chunk:runs() and chunk:rows(). One for each query of a system.
typedef struct {
    int32_t count;      // rows lent
    int32_t index;      // number of the visit in this run, from 1
    double first_row;   // number of the first row among all rows of this run, from 1
    uint64_t runs;      // address of the table of runs, see ViewSet::runs_
    uint64_t rows;      // address of the table of rows, once fill_rows made it
    void* views;        // the ViewSet
    int32_t run_limit;  // rows with table entries, plus the entry before row 1; 0: disarmed
    uint32_t reserved;
} perigee_chunk;

// Read by ctx and ctx.commands. One for each system.
typedef struct {
    double dt, tick, time, alpha;  // seconds, steps, seconds, 0 .. 1
    uint64_t epoch;                // 0: not running, or jobs are open. Entity proxies compare it
    uint32_t open_jobs;            // 1: some of its jobs may be running
    uint32_t may_command;          // ctx.commands works
    void* random;                  // the system's Random while it may be used
    void* system;                  // the ScriptSystem
} perigee_system;

// One for each mod.
typedef struct {
    uint64_t outside_epoch;  // limits proxies made outside systems
    uint32_t phase;          // ScriptPhase
    uint32_t error_row;      // row of the last error, from 1; 0: none
    uint32_t is_presentation;
    uint32_t error_length;  // bytes of the message that error_row belongs to
    // Row count of the armed views; 0: none is armed. One number in one place for all columns, so that
    // compiled code checks a row number once, however many columns it reads.
    uint64_t lent_rows;
    double sorted_keys;  // table keys that pairs sorted in this run
    // The same count for each of the system's named queries, whose views are armed at the same time.
    uint64_t lent_rows_of[8];
} perigee_state;

// Start of a buffer's cell in a row: the BufferHeader of ecs/storage/buffer.h.
typedef struct {
    uint64_t heap;  // address of the block; 0 while the elements follow
    uint32_t length, heap_capacity;
} perigee_buffer;

// The value of an object component, as object_get returns it.
typedef struct {
    double number;
    const char* text;
    uint32_t length;
    uint32_t kind;  // ObjectKind
    uint32_t reference;
    uint32_t reserved;
} perigee_object;

// An entry of the two lists of `change`: a component, and the address of its value or 0.
typedef struct {
    uint64_t component, value;
} perigee_change;

// NOLINTEND(modernize-use-using)
