// Numbers of Lua are doubles: integers of 64 bits are readable and writable up to 2^53.
#include "scripting/host/internal/world_constants.h"

#include "ecs/schedule/system.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/component.h"
#include "ecs/schema/field_type.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"
#include "scripting/base/script_limits.h"
#include "scripting/mods/internal/object_api.h"
#include "scripting/mods/internal/query_work.h"
#include "scripting/mods/script_system.h"
#include "scripting/views/view.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace perigee::internal {

namespace {

constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

template <typename Integer> ScriptConstant::Range range_of(FieldType type) {
    using Limits = std::numeric_limits<Integer>;
    return {field_type_info(type).name, std::max(static_cast<double>(Limits::min()), -kLargestWhole),
            std::min(static_cast<double>(Limits::max()), kLargestWhole)};
}

ScriptConstant::Ranges number_ranges() {
    return {
        range_of<std::int8_t>(FieldType::i8),      range_of<std::uint8_t>(FieldType::u8),
        range_of<std::int16_t>(FieldType::i16),    range_of<std::uint16_t>(FieldType::u16),
        range_of<std::int32_t>(FieldType::i32),    range_of<std::uint32_t>(FieldType::u32),
        range_of<std::int64_t>(FieldType::i64),    range_of<std::uint64_t>(FieldType::u64),
        range_of<std::uint32_t>(FieldType::color),
    };
}

// Types that are named alone, or those that need parameters: ecs.string(16).
std::vector<std::string_view> field_types(bool is_plain) {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < kFieldTypeCount; ++i) {
        const FieldTypeInfo& info = field_type_info(static_cast<FieldType>(i));
        if ((info.size != 0) == is_plain) words.push_back(info.name);
    }
    return words;
}

std::vector<std::string_view> component_kinds() {
    std::vector<std::string_view> words;
    words.reserve(kComponentKindCount);
    for (std::size_t i = 0; i < kComponentKindCount; ++i)
        words.push_back(kind_name(static_cast<ComponentKind>(i)));
    return words;
}

// Systems of mods are in the first; the others are for what follows from them.
constexpr std::array kGroupsForMods{kInitialization, kSimulation, kPresentation};
constexpr std::array kGroupsOfEngine{kTransforms, kReactions};

}  // namespace

std::span<const ScriptConstant> world_constants() {
    static const std::vector<ScriptConstant> constants{
        {"field_types", field_types(true)},
        {"compound_types", field_types(false)},
        {"number_ranges", number_ranges()},
        {"component_kinds", component_kinds()},
        {"groups", kGroupsForMods},
        {"engine_groups", kGroupsOfEngine},
        {"system_functions", kSystemCallbackNames},
        {"phases", kScriptPhaseNames},
        {"object_kinds", kObjectKindNames},
        {"query_work", kQueryWorkNames},
        {"max_text_bytes", TextPool::kMaxTextBytes},
        {"max_array_length", kMaxArrayLength},
        {"max_string_capacity", kMaxStringCapacity},
        {"max_enum_labels", kMaxEnumLabels},
        {"max_flags", kMaxFlags},
        {"max_struct_depth", kMaxStructDepth},
        {"max_buffer_capacity", kMaxBufferCapacity},
        {"max_blob_depth", BlobStore::kMaxDepth},
        {"blob_bytes", BlobStore::kOwnBytes},
        {"max_child_levels", kMaxChildLevels},
        {"max_listed_names", kMaxListedNames},
        {"max_queries", kMaxQueries},
        {"max_changes", kMaxChanges},
        {"max_side_steps", kMaxSideSteps},
    };
    return constants;
}

}  // namespace perigee::internal
