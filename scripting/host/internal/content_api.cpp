// One line each; see ecs/schema/text_pool.h and ecs/schema/blob_store.h.
#include "scripting/host/internal/content_api.h"

#include "ecs/base/canonical.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/run_scope.h"
#include "ecs/world/world.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/views/blob_views.h"

#include <cstdint>
#include <cstring>
#include <exception>
#include <string_view>

namespace perigee::internal {

namespace {

constexpr std::size_t kBytesPerText = 64;

TextPool& texts_of(void* world) noexcept { return static_cast<World*>(world)->texts(); }
const BlobStore& blobs_of(void* world) noexcept { return static_cast<World*>(world)->blobs(); }

const void* text_data(void* world, std::uint32_t handle) noexcept {
    return texts_of(world).text(TextHandle{handle}).data();
}
std::uint32_t text_size(void* world, std::uint32_t handle) noexcept {
    return static_cast<std::uint32_t>(texts_of(world).text(TextHandle{handle}).size());
}
/// The handle of an existing text; 0 for a new one, and then it is this system's turn.
std::uint32_t text_known(void* world, const char* text, std::uint32_t size) noexcept {
    try {
        const std::string_view content(text, size);
        TextPool& texts = texts_of(world);
        if (content.empty()) return 0;
        if (texts.find(content).index == 0) {
            wait_for_turn();
            if (texts.find(content).index == 0) return 0;
        }
        const Result<TextHandle> handle = texts.intern(content);  // the next sweep leaves it
        return handle ? handle.value().index : 0;
    } catch (const std::exception&) {
        return 0;
    }
}
/// The handle; negative if there is no room, or the mod has used up its quota of the world's memory.
double text_intern(void* world, const char* text, std::uint32_t size) noexcept {
    try {
        const std::string_view content(text, size);
        WorldShare* const share = share_of_thread();
        // An existing text takes no memory. Of systems that make the same one at the same time, the first in
        // system order is charged.
        if (texts_of(world).find(content).index == 0) {
            wait_for_turn();
            if (share != nullptr && texts_of(world).find(content).index == 0 &&
                !share->ask_at_once(MemoryKind::texts, size + kBytesPerText))
                return -1;
        }
        const Result<TextHandle> handle = texts_of(world).intern(content);
        return handle ? static_cast<double>(handle.value().index) : -1;
    } catch (const std::exception&) {
        return -1;
    }
}

/// The work that a new byte adds to the next sweep, for what the running mod created. The game pays nothing.
double text_looks_per_byte(void* world) noexcept {
    const WorldShare* const share = share_of_thread();
    return share != nullptr ? texts_of(world).sweep_cost_per_byte() * share->part_of_cells() : 0;
}

/// Its perigee_view, which stays; null for an invalid blob number, or if there is no memory.
const void* blob_view(void* world, std::uint32_t handle) noexcept {
    try {
        World& owner = *static_cast<World*>(world);
        return BlobViews::of(owner).view(owner, BlobHandle{handle});
    } catch (const std::exception&) {
        return nullptr;
    }
}
/// The work that a new byte adds to the next sweep of blobs, as for texts.
double blob_looks_per_byte(void* world) noexcept {
    const WorldShare* const share = share_of_thread();
    return share != nullptr ? blobs_of(world).sweep_cost_per_byte() * share->part_of_cells() : 0;
}
/// -1 for an invalid blob number: native code may have written any number.
std::int32_t blob_type(void* world, std::uint32_t handle) noexcept {
    const BlobStore& blobs = blobs_of(world);
    return blobs.has(BlobHandle{handle}) ? blobs.type(BlobHandle{handle}).index : -1;
}

template <typename Float> double number_at(const void* memory) noexcept {
    Float number;
    std::memcpy(&number, memory, sizeof number);
    return canonical(number);
}
double number_f32(const void* memory) noexcept { return number_at<float>(memory); }
double number_f64(const void* memory) noexcept { return number_at<double>(memory); }
/// Compiled code reloads values after a call of a C function.
void barrier() noexcept {}

}  // namespace

std::vector<NativeFunction> content_functions() {
    return {
        native_function<&text_data>("text_data"),
        native_function<&text_size>("text_size"),
        native_function<&text_known>("text_known"),
        native_function<&text_intern>("text_intern"),
        native_function<&text_looks_per_byte>("text_looks_per_byte"),
        native_function<&blob_view>("blob_view"),
        native_function<&blob_looks_per_byte>("blob_looks_per_byte"),
        native_function<&blob_type>("blob_type"),
        native_function<&number_f32>("number_f32"),
        native_function<&number_f64>("number_f64"),
        native_function<&barrier>("barrier"),
    };
}

}  // namespace perigee::internal
