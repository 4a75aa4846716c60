// What the source check knows of the methods of ctx, ctx.commands, ecs.world and chunks besides their
// annotations (scripts/stubs): which argument is a component, what the result is, and whether the call only
// looks.
//
// Invariant: each method is in the annotations of its class (tests/docs_limits_test.cpp). Methods that are
// not here get the checks of their annotation alone.
#pragma once

#include "scripting/check/internal/source_value.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace perigee::internal {

inline constexpr std::string_view kContext = "perigee.Context", kCommands = "perigee.Commands",
                                  kWorld = "perigee.World", kChunk = "perigee.Chunk";

struct MethodRule {
    /// What the component that it is given must be.
    enum class Takes : std::uint8_t {
        unchecked,
        of_entity,  ///< the second argument: a component of the entity in the first one
        resource,   ///< the first argument
        event,      ///< the first argument
    };
    /// Whether no entity gets the component that it is given.
    enum class Looks : std::uint8_t {
        no,
        yes,
        on_any_value,  ///< the name means the same everywhere: a parameter's meaning may be unknown
    };
    std::string_view type;
    std::string_view name;
    Takes takes = Takes::unchecked;
    Looks looks = Looks::no;
    Meaning gives = Meaning::unknown;
    bool writes = false;        ///< the component must be declared as written
    bool counts_query = false;  ///< an argument is a query, whose rows are counted
    bool starts_job = false;    ///< which uses what the system declares
};

inline constexpr auto kMethodRules = [] {
    using enum MethodRule::Takes;
    using enum MethodRule::Looks;
    return std::to_array<MethodRule>({
        {kContext, "try_get", of_entity, on_any_value, Meaning::row},
        {kContext, "buffer", of_entity, yes, Meaning::buffer},
        {kContext, "object", of_entity, yes},
        {kContext, "set_object", of_entity, no, Meaning::unknown, true},
        {kContext, "is_enabled", of_entity, on_any_value},
        {kContext, "has", unchecked, on_any_value},
        {kContext, "sources", of_entity, on_any_value},
        {kContext, "resource", resource, on_any_value, Meaning::row},
        {kContext, "events", event, on_any_value, Meaning::columns},
        {kContext, "send", event, yes, Meaning::unknown, true},
        {kContext, "send_many", event, no, Meaning::columns, true},
        {kContext, "entity_count", unchecked, no, Meaning::unknown, false, true},
        {kContext, "chunk_count", unchecked, no, Meaning::unknown, false, true},
        {kContext, "start_job", unchecked, no, Meaning::unknown, false, false, true},
        {kCommands, "set", unchecked, yes},
        {kCommands, "set_all", unchecked, yes},
        {kCommands, "remove", unchecked, on_any_value},
        {kCommands, "remove_all", unchecked, on_any_value},
        {kCommands, "enable", unchecked, on_any_value},
        {kCommands, "enable_all", unchecked, on_any_value},
        {kWorld, "get", unchecked, on_any_value},
        {kWorld, "sources", unchecked, on_any_value},
        {kChunk, "changed", unchecked, yes},
    });
}();

/// Null if the table has no such method.
constexpr const MethodRule* method_rule(std::string_view type, std::string_view name) noexcept {
    const auto found = std::ranges::find_if(
        kMethodRules, [&](const MethodRule& rule) { return rule.type == type && rule.name == name; });
    return found == kMethodRules.end() ? nullptr : &*found;
}

}  // namespace perigee::internal
