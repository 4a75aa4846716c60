// Lua lists the order of the vertices first, then makes the mesh, and writes its vertices itself.
#include "engine/modules/internal/gfx_meshes.h"

#include "engine/base/error_codes.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/gfx_painting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>

namespace perigee {

namespace {

using internal::whole;

GfxContext& meshing(void* context) noexcept { return *static_cast<GfxContext*>(context); }

const std::shared_ptr<VertexMesh>& mesh_of(void* context, double id) noexcept {
    return meshing(context).surfaces.meshes.find(whole<std::uint32_t>(id));
}

void mesh_begin(void* context) noexcept { meshing(context).mesh_order.clear(); }

/// The next vertex, from 0. Expects: it is below the number of vertices of the mesh that is made then.
void mesh_index(void* context, double number) noexcept {
    GfxContext& self = meshing(context);
    if (self.mesh_order.size() < MeshTable::kMaxVertices)
        self.mesh_order.push_back(whole<std::uint32_t>(number));
}

/// The id, or 0 if there is no room (see error()). `image`: id; 0: none.
double mesh_end(void* context, double count, double mode, double image) noexcept {
    GfxContext& self = meshing(context);
    const std::size_t vertices = std::min<std::size_t>(whole<std::uint32_t>(count), MeshTable::kMaxVertices);
    const auto wanted = std::min<std::uint8_t>(whole<std::uint8_t>(mode), kMeshModeNames.size() - 1);
    if (std::ranges::any_of(self.mesh_order, [=](std::uint32_t number) { return number >= vertices; }))
        return 0;
    try {
        const std::uint32_t id =
            self.surfaces.meshes.make(vertices, static_cast<MeshMode>(wanted), self.mesh_order,
                                      whole<std::uint32_t>(image), self.mount);
        if (id == 0)
            self.error = fmt::format(engine_errors::kTooManyMeshes, vertices, MeshTable::kMaxBytes >> 20U,
                                     MeshTable::kMaxMeshes);
        return id;
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return 0;
    }
}

/// The one function that finalisers call, at any time.
void release_mesh(void* context, double id) noexcept {
    meshing(context).surfaces.meshes.release(whole<std::uint32_t>(id));
}

/// See VertexMesh for what is there.
void* mesh_memory(void* context, double id) noexcept {
    const std::shared_ptr<VertexMesh>& mesh = mesh_of(context, id);
    return mesh ? mesh->memory() : nullptr;
}

void set_mesh_image(void* context, double id, double image) noexcept {
    GfxContext& self = meshing(context);
    if (self.painter.is_open()) self.painter.close_block();
    if (const std::shared_ptr<VertexMesh>& mesh = mesh_of(context, id))
        mesh->image = whole<std::uint32_t>(image);
}

/// `image`: shown in place of its own; 0: that one.
std::int32_t draw_mesh(void* context, double id, double x, double y, double rotation, double scale_x,
                       double scale_y, double color, double image) noexcept {
    std::optional<std::uint32_t> shown;
    if (image > 0.0) shown = whole<std::uint32_t>(image);
    const auto real = [](double number) { return static_cast<float>(number); };
    return internal::painted(context, color, [&](Painter& painter) {
        if (const std::shared_ptr<VertexMesh>& mesh = mesh_of(context, id))
            painter.mesh(mesh, real(x), real(y), real(rotation), real(scale_x), real(scale_y), shown);
    });
}

}  // namespace

std::vector<NativeFunction> gfx_mesh_functions() {
    return {
        native_function<&mesh_begin>("mesh_begin"),   native_function<&mesh_index>("mesh_index"),
        function_in_turn<&mesh_end>("mesh_end"),      native_function<&release_mesh>("release_mesh"),
        native_function<&mesh_memory>("mesh_memory"), native_function<&set_mesh_image>("set_mesh_image"),
        native_function<&draw_mesh>("draw_mesh"),
    };
}

}  // namespace perigee
