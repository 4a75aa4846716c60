// A game given as files, and the findings of check: a line for each finding, "main.lua:3: …".
#pragma once

#include "game/commands/check.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perigee::test {

/// `game`: the folder among them that is checked.
inline std::string findings_of(const std::map<std::string, std::string>& files, const std::string& game = "",
                               const std::vector<std::string>& mod_folders = {}, bool is_trusted = false) {
    const TemporaryFolder folder;
    for (const auto& [name, text] : files) folder.write(name, text);
    CheckOptions options;
    options.trusts_game = is_trusted;
    options.game = game.empty() ? folder.path() : folder.path() / game;
    for (const std::string& mods : mod_folders) options.mod_folders.push_back(folder.path() / mods);
    const Result<std::vector<CheckFinding>> found = find_mistakes(options);
    REQUIRE(found.ok());
    std::string text;
    for (const CheckFinding& finding : found.value()) {
        // Variables may hold state here.
        if (finding.message.find("is reset when a file is saved") != std::string::npos) continue;
        if (finding.message.find("keeps state outside of the world") != std::string::npos) continue;
        const char* const kWords[] = {"", "warning: ", "note: "};
        const std::filesystem::path place(finding.file);
        text += place.lexically_relative(folder.path()).string() +
                (finding.line > 0 ? ":" + std::to_string(finding.line) : "") + ": " +
                kWords[static_cast<int>(finding.severity)] + finding.message + "\n";
    }
    return text;
}

/// For a game that is one file.
inline std::string findings_of(const std::string& main) {
    return findings_of(std::map<std::string, std::string>{{"main.lua", main}});
}

}  // namespace perigee::test
