// The rules of the source tree as functions over text, so that each can be shown to fail on a made-up file. A
// rule returns one sentence per breach, prefixed with the file; without a breach, none. Not here: reading the
// real tree (tests/layers_test.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// A file of the tree. The path is relative to the repository root, with '/'.
struct SourceFile {
    std::string path;
    std::string text;
};

using Breaches = std::vector<std::string>;

/// The text between the quotes or brackets of each #include line, in order.
std::vector<std::string> includes_of(std::string_view text);

/// 0 ecs, 1 scripting, 2 engine, 3 engine/sdl, 4 game, also with "perigee/" before it; nothing for paths
/// outside the layers.
std::optional<int> layer_of(std::string_view path);

/// An include refers to the same layer or one below.
Breaches upward_includes(const SourceFile& file);

/// The folders of all layers, such as "ecs/base/", from the lowest to the highest. A layer's own folder is
/// above those in it.
std::span<const std::string_view> rooms() noexcept;

/// The index in rooms() of the folder that contains a file; internal/ counts as the folder around it. Also
/// with "perigee/" before the path. Nothing for paths outside all rooms.
std::optional<std::size_t> floor_of(std::string_view path);

/// Inside a layer, an include refers to the same folder or a lower one.
Breaches upward_in_layer(const SourceFile& file);

/// Each C and C++ file of a layer is in one of rooms().
Breaches outside_of_rooms(std::string_view path);

/// No folder contains more than `limit` files, not counting README.md. `paths` is the whole tree, here and
/// below.
Breaches crowded_folders(const std::set<std::string>& paths, std::size_t limit);

/// Each folder of a layer and of scripts/runtime/ has a README.md.
Breaches folders_without_readme(const std::set<std::string>& paths);

/// Hosts and plugins in this repository spell includes as external ones must: "perigee/ecs/world/world.h";
/// everything else spells them "ecs/world/world.h".
Breaches include_of_other_spelling(const SourceFile& file);

/// Lua headers stay in scripting/, SDL headers in engine/sdl/. Their tests may use them too, and bench/ may
/// use Lua.
Breaches misplaced_library_includes(const SourceFile& file);

/// The headers of ecs/ include only the standard library and ecs/.
Breaches third_party_in_ecs_header(const SourceFile& file);

/// A .cpp of a layer includes the header of the same name first, so that compiling it shows that the header
/// is self-contained. `paths` is the whole tree.
Breaches own_header_not_first(const SourceFile& file, const std::set<std::string>& paths);

Breaches over_long(const SourceFile& file, int line_limit);

/// A file starts with a comment that says what it contains, in C++, Lua, CMake and shell.
Breaches missing_opening_comment(const SourceFile& file);

/// tests/<folder>/x_test.cpp tests <folder>/x.h or .cpp, also one in <folder>/internal/; a second file for
/// the same source is called x_<aspect>_test.cpp. `paths` is the whole tree.
Breaches test_without_source(std::string_view test_path, const std::set<std::string>& paths);

/// Files that are compiled as one unit define no type or constant of one name twice, however private, and no
/// function twice with the same parameters, in one namespace. Only definitions that begin in the first column
/// count, which is where clang-format puts those of a namespace. `folders` is one line of
/// perigee_joined_folders in cmake/quick_build.cmake, without slashes at the ends.
Breaches name_of_two_files(const std::vector<SourceFile>& files, std::string_view folders);

/// Entries allowed at the top level.
Breaches stranger_at_top(std::string_view name);

}  // namespace perigee
