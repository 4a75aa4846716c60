// The limits that the pages of docs/ name are those of the code: each line below is a sentence or a cell of a
// page, with its numbers taken from the constants. Not here: code blocks, links and names
// (tests/docs_test.cpp).
#include "ecs/archetype/archetype_graph.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "engine/assets/assets.h"
#include "engine/assets/decoder.h"
#include "engine/assets/sound_info.h"
#include "engine/audio/audio.h"
#include "engine/data/entity_file.h"
#include "engine/engine.h"
#include "engine/input/input.h"
#include "engine/input/input_events.h"
#include "engine/save/player_data.h"
#include "scripting/base/script_limits.h"
#include "scripting/lua/fuel_rewriter.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

// A page with one space wherever it has a line break.
std::string page(const std::string& name) {
    std::ifstream file(PERIGEE_SOURCE_DIR "/docs/" + name, std::ios::binary);
    REQUIRE(file.good());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return std::regex_replace(text, std::regex("\\s+"), " ");
}

// 500,000
std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string plain(double number) {
    std::string digits = std::to_string(number);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}

std::string kilobytes(std::uint64_t bytes) { return std::to_string(bytes >> 10U); }
std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U); }
std::string gigabytes(std::uint64_t bytes) { return std::to_string(bytes >> 30U); }
std::string millions(double steps) { return plain(steps / 1e6) + " million"; }

// Each sentence is on its page.
void check(const std::vector<std::pair<std::string, std::string>>& sentences) {
    std::map<std::string, std::string> pages;
    for (const auto& [name, sentence] : sentences) {
        if (!pages.contains(name)) pages[name] = page(name);
        INFO("docs/" << name);
        CHECK_THAT(pages[name], Contains(sentence));
    }
}

TEST_CASE("the limits of scripts in the pages are those of the code [N16]") {
    const ScriptLimits limits;
    check({
        {"security.md", "| fuel of one run of a system or an initialiser | " + millions(limits.fuel_per_run)},
        {"security.md",
         "with the files that it requires; of a console line | " + millions(limits.fuel_per_load)},
        {"security.md", "| memory in use, soft | " + megabytes(limits.memory_soft) + " MB"},
        {"security.md", "| memory in use, hard | " + gigabytes(limits.memory_hard) + " GB"},
        {"security.md",
         "| memory allocated in one run, freed or not | " + gigabytes(limits.memory_per_run) + " GB"},
        {"security.md", "| time of one run on the clock | " + plain(limits.seconds_per_run) + " s"},
        {"security.md", "| time of loading one file | " + plain(limits.seconds_per_load) + " s"},
        {"security.md", "| fuel of all systems of a mod in a step | " + millions(limits.fuel_per_step)},
        {"security.md", "in interactive runs | " + plain(limits.seconds_per_step * 1000) + " ms"},
        {"security.md", "| living entities of a mod | " + grouped(limits.entities) + ", and "},
        {"security.md", "| log lines of a mod in one step | " + std::to_string(limits.log_lines) + ", and " +
                            kilobytes(limits.log_bytes) + " KB in all"},
        {"security.md", "| length of a source file | " + kilobytes(kMaxSourceBytes) + " KB"},
        {"lua-api.md", "needs more than " + millions(limits.fuel_per_run) + " steps ends in an error"},
        {"modding.md", "may use " + millions(limits.fuel_per_run) + " steps of fuel"},
        {"modding.md", "Its Lua state may use " + megabytes(limits.memory_soft) +
                           " MB, each step may write " + std::to_string(limits.log_lines) + " lines of log"},
        {"modding.md", "A mod may have " + grouped(limits.entities) + " living entities"},
    });
}

TEST_CASE("the limits of all mods together in the pages are those of the code [N16]") {
    const LimitsOfAllMods all;
    const std::string entities = millions(static_cast<double>(all.entities)) + " living entities";
    check({
        {"security.md", "have at most " + gigabytes(all.lua_memory) + " GB of Lua memory"},
        {"security.md", entities + ", and " + plain(all.load_seconds) + " s of processor time for loading"},
        {"security.md", ", and " + millions(static_cast<double>(all.entities)) + " of all mods |"},
        {"modding.md", "together have " + gigabytes(all.lua_memory) + " GB of Lua memory"},
        {"modding.md", entities + ", and " + plain(all.load_seconds) + " s to load"},
        {"security.md", "they may add " + std::to_string(kPatchOfMod.parts) + " entities and " +
                            kilobytes(kPatchOfMod.bytes) + " KB"},
        {"security.md", "the patches of all mods together " + std::to_string(kPatchOfAll.parts) +
                            " entities and " + kilobytes(kPatchOfAll.bytes) + " KB"},
        {"modding.md", "may add " + std::to_string(kPatchOfMod.parts) + " entities and " +
                           kilobytes(kPatchOfMod.bytes) + " KB to each copy"},
    });
}

TEST_CASE("the limits of the world in the pages are those of the code [N16]") {
    check({
        {"security.md", "| archetypes | " + grouped(kMaxArchetypes) + " of a world"},
        {"security.md", "| all texts of a world | " + megabytes(TextPool::kMaxBytes) + " MB, " +
                            kilobytes(TextPool::kMaxTextBytes) + " KB each"},
        {"security.md", "| blobs | " + gigabytes(BlobStore::kMaxBytes) + " GB of all mods"},
        {"security.md", "| a buffer | " + megabytes(kMaxBufferBytes) + " MB"},
        {"lua-api.md", "string of at most " + kilobytes(TextPool::kMaxTextBytes) + " KiB"},
        {"lua-api.md", "may use " + megabytes(TextPool::kMaxBytes) + " MiB"},
        {"lua-api.md", "A buffer has at most " + grouped(kMaxBufferElements) + " elements and " +
                           megabytes(kMaxBufferBytes) + " MiB"},
        {"lua-api.md", "stored in the chunk, 0 to " + std::to_string(kMaxBufferCapacity)},
        {"lua-api.md", "(at most " + std::to_string(Schedule::kMaxRounds) + ")"},
        {"events.md", "After " + std::to_string(Schedule::kMaxRounds) + " rounds"},
        {"determinism.md", "from 1 to " + std::to_string(kMaxWorkers)},
    });
}

TEST_CASE("the limits of files, input and sound in the pages are those of the code [N16]") {
    check({
        {"security.md", "| requested files that do not exist | " + std::to_string(AssetStore::kMaxMissing)},
        {"security.md", "| folders | " + grouped(AssetStore::kMaxListedFiles) + " files"},
        {"security.md", "`mods/`, " + std::to_string(AssetStore::kMaxFolderDepth) + " folders deep"},
        {"security.md", "other files " + megabytes(AssetStore::kMaxFileBytes) + " MB"},
        {"security.md", "| data files | " + megabytes(kMaxEntityFileBytes) + " MB"},
        {"security.md", std::to_string(kMaxEntityFileMistakes) + " mistakes are reported"},
        {"data-files.md", "of at most " + megabytes(kMaxEntityFileBytes) + " MiB"},
        {"security.md", megabytes(kMaxSaveBytes) + " MB a file, " + std::to_string(kMaxSaveFiles) + " files"},
        {"lua-api.md",
         megabytes(kMaxSaveBytes) + " MB per file, " + std::to_string(kMaxSaveFiles) + " files"},
        {"lua-api.md", "has at most " + std::to_string(kMaxSaveNameBytes) + " bytes, and does not begin"},
        {"security.md", "| input actions | " + std::to_string(kMaxActions) + " of a game"},
        {"lua-api.md", "A step gets at most " + std::to_string(kMaxStepEvents) + " events with " +
                           std::to_string(kMaxStepTextBytes) + " bytes of text"},
        {"lua-api.md", "At most " + grouped(kMaxWaitingEvents) + " events wait"},
        {"modding.md", plain(Decoder::kMaxSoundSeconds / 60) + " minutes; longer ones are music"},
        {"modding.md", "or " + std::to_string(kMaxSoundChannels) + " channels, " + grouped(kLeastSoundRate) +
                           " to " + grouped(kMaxSoundRate) + " Hz"},
    });
}

}  // namespace
}  // namespace perigee
