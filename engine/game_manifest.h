// The manifest of a game or mod: the file mod.json, all of it optional.
//
// Invariant: a parsed manifest is complete: what the file leaves out has its default, and what it says was
// checked. Unknown keys are an error with the nearest known one, so that a typo does not silently do nothing.
//
//   { "id": "swarm", "title": "Swarm", "version": "1.0", "native": ["swarm"], "width": 1280, "height": 720 }
#pragma once

#include "ecs/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct GameManifest {
    std::string id = "game";  ///< letters, digits, '_' and '-'; names the game in logs, replays and messages
    std::string title;        ///< of the window; the id if empty
    std::string version = "0";
    std::vector<std::string> native;  ///< C++ systems by their name in NativeSystems, or files of plugins
    std::uint16_t width = 1280;       ///< logical size: what the game draws on, whatever the window's size
    std::uint16_t height = 720;
};

/// Reads mod.json. `default_id` (the folder's name) is made into an id when the file gives none.
/// Errors: no JSON (with line and column), not an object, an unknown key, a value of the wrong type or range.
Result<GameManifest> parse_manifest(std::string_view json, std::string_view default_id);

/// The manifest of a game without mod.json.
GameManifest default_manifest(std::string_view folder_name);

}  // namespace perigee
