// The memory into which Lua writes draw items and the points of meshes: as fast as it writes columns, without
// a call per item. This plain C is compiled into C++ and embedded in the program, where
// scripts/runtime/modules/gfx_block.lua declares it to LuaJIT's FFI.
//
// Invariant: only declarations that C, C++ and the FFI understand, and fixed sizes; no padding is left to the
// compiler. Lua skips the lines with a '#'. Not here: when items are taken out of it (painter.h).
#pragma once

#include <stdint.h>

// NOLINTBEGIN(modernize-use-using): C has no other word for it.

// A DrawItem (draw_item.h), with two differences. Of kind 0, a sprite, w and h are factors of the size of its
// frame, and negative ones flip it. Kind 7 is a sprite of an image: ref is its handle | number of the frame
// << 16. Kind 8 is a sprite, and w and h are its size.
typedef struct {
    float x, y, w, h;
    uint32_t color, ref;
    uint16_t angle, stroke;
    uint8_t origin_x, origin_y, kind, flags;
} perigee_draw_item;

typedef struct {
    uint32_t owner;    // who may write: a number above 0; 0: call `open` first
    int32_t count;     // items that are written
    uint32_t color;    // of later items: r, g, b, a in memory order
    float line_width;  // in pixels
    uint16_t stroke;   // line_width as items have it
    uint8_t flags;     // of later items: blend mode, space
    uint8_t cap;       // of later lines: LineCap
    float point_size;
    uint64_t unused_line[5];
    perigee_draw_item items[256];
    float numbers[8192];  // x and y of the points of one shape
} perigee_draw_block;

// The memory of a mesh (shapes/vertex_mesh.h): this head, then its points.
typedef struct {
    uint32_t version;  // grows with each change of a point
    uint32_t unused;
} perigee_mesh_head;

// A MeshPoint (shapes/mesh_point.h), with the colour by channel.
typedef struct {
    float x, y, u, v;
    uint8_t r, g, b, a;
} perigee_mesh_point;

// NOLINTEND(modernize-use-using)
