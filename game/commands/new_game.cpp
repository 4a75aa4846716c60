// Derives the names from the folder's name, then writes the files.
#include "game/commands/new_game.h"

#include "ecs/base/result.h"
#include "engine/mods/mod_manifest.h"
#include "game/commands/internal/embedded_templates.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cctype>
#include <string>
#include <string_view>
#include <system_error>

namespace perigee {

namespace fs = std::filesystem;
namespace e = game_errors;

namespace {

struct Names {
    std::string id;
    std::string title;
};

// "my_first-game" is titled "My first game".
Names names_of(const fs::path& folder) {
    Names names;
    names.id = default_manifest(folder.filename().string()).id;
    for (const char c : names.id) names.title += c == '_' || c == '-' ? ' ' : c;
    names.title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(names.title.front())));
    return names;
}

std::string filled(std::string_view text, const Names& names) {
    std::string result(text);
    const auto replace = [&](std::string_view mark, const std::string& value) {
        for (std::size_t at = result.find(mark); at != std::string::npos;
             at = result.find(mark, at + value.size()))
            result.replace(at, mark.size(), value);
    };
    replace("@id@", names.id);
    replace("@title@", names.title);
    return result;
}

Result<void> write_all(const fs::path& folder, std::string_view template_name, const Names& names) {
    for (const EmbeddedFile& file : embedded_templates()) {
        if (!file.name.starts_with(template_name)) continue;
        const fs::path path = folder / file.name.substr(template_name.size());
        if (Result<void> written = write_file(path, filled(file.text, names)); !written) return written;
    }
    return {};
}

}  // namespace

int new_game(const NewOptions& options) {
    std::error_code ignored;
    fs::path folder = options.folder.lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    const bool is_taken =
        fs::exists(folder, ignored) && !(fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored));
    if (is_taken) return give_up(Error{fmt::format(e::kNewExists, folder.string())});
    const Result<void> written = write_all(folder, options.is_mod ? "mod/" : "game/", names_of(folder));
    if (!written) return give_up(written.error());
    if (options.is_mod) {
        print_out(fmt::format(
            "made the mod {0}: put it into the folder mods/ of a game, or run one with --mods {1}\n",
            folder.string(), folder.has_parent_path() ? folder.parent_path().string() : "."));
    } else {
        print_out(fmt::format(
            "made the game {0}: run it with\n  perigee run {0}\nthen change {0}/main.lua and look\n",
            folder.string()));
    }
    return 0;
}

void add_new_options(CLI::App& command, NewOptions& options) {
    command.add_option("FOLDER", options.folder, "The folder to create; the game gets its name")->required();
    command.add_flag("--mod", options.is_mod, "A mod instead of a game");
    command.footer("\nThe folder must not exist, or be empty: existing files are never changed.");
}

}  // namespace perigee
