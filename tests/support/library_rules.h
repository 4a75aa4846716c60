// The rules of the Lua library as functions over text: what its files declare that they need. Like the rules
// of the source tree (source_rules.h), each returns one sentence per breach. Not here: loading the files,
// which scripts/runtime/parts.lua does.
#pragma once

#include "tests/support/source_rules.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// A name in quotes after this word, in any line that is no comment: need "fail" names fail.
std::vector<std::string> names_after(std::string_view text, std::string_view word);

/// The folders of scripts/runtime/, the lowest first; boot.lua and ecs.lua are above all of them.
std::span<const std::string_view> library_rooms() noexcept;

/// Each part that a file of the library needs is a file of it, or is provided by boot.lua.
Breaches missing_parts(std::span<const SourceFile> library);

/// A file needs parts of its own folder and of lower folders. What it names with `later` may be anywhere.
Breaches upward_needs(std::span<const SourceFile> library);

/// Parts do not need each other in a cycle.
Breaches cyclic_needs(std::span<const SourceFile> library);

/// A file names what it needs in the lines that follow `local need = ...`, and nowhere else. boot.lua and
/// ecs.lua, which assemble the parts, may name them anywhere.
Breaches scattered_needs(const SourceFile& file);

}  // namespace perigee
