// Every limit that a page states, and that is a constant of the code, has the constant's value there. A
// sentence that was changed on the page is changed here too.
#include "ecs/archetype/archetype_graph.h"
#include "ecs/prefab/prefab_desc.h"
#include "ecs/prefab/prefab_scene.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/world_config.h"
#include "engine/assets/assets.h"
#include "engine/assets/decoder.h"
#include "engine/assets/image_size.h"
#include "engine/assets/sound_info.h"
#include "engine/audio/audio.h"
#include "engine/data/entity_file.h"
#include "engine/draw/draw_budget.h"
#include "engine/draw/layers/layer_table.h"
#include "engine/draw/painter.h"
#include "engine/draw/shapes/curves.h"
#include "engine/extract/animation_clips.h"
#include "engine/extract/lights.h"
#include "engine/extract/particles.h"
#include "engine/extract/views.h"
#include "engine/fonts/font_table.h"
#include "engine/input/input.h"
#include "engine/input/input_events.h"
#include "engine/mods/mod_manifest.h"
#include "engine/modules/app_module.h"
#include "engine/modules/save_module.h"
#include "engine/modules/world_saves.h"
#include "engine/plugin/plugin_abi.h"
#include "engine/save/player_data.h"
#include "engine/shaders/shader_source.h"
#include "engine/shaders/shader_table.h"
#include "engine/surfaces/mesh_table.h"
#include "engine/surfaces/surface_table.h"
#include "scripting/base/script_limits.h"
#include "scripting/check/internal/source_methods.h"
#include "scripting/lua/fuel_rewriter.h"
#include "scripting/mods/script_system.h"
#include "scripting/sandbox/state.h"
#include "tests/support/annotated_api.h"
#include "tests/support/markdown.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>

namespace perigee {
namespace {

// A page as one line, so that a sentence is found wherever its lines end. "lua-api.md" has all that it lists.
std::string line_of_page(const std::string& name) {
    std::string text;
    for (const char character : name == "lua-api.md" ? test::lua_api_pages() : test::page_of_docs(name)) {
        const bool is_space = character == ' ' || character == '\n';
        if (!is_space || !text.ends_with(' ')) text += is_space ? ' ' : character;
    }
    return text;
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

constexpr std::uint64_t kb(std::uint64_t bytes) { return bytes >> 10U; }
constexpr std::uint64_t mb(std::uint64_t bytes) { return bytes >> 20U; }
constexpr std::uint64_t gb(std::uint64_t bytes) { return bytes >> 30U; }
double millions(double number) { return number / 1e6; }

class Page {
public:
    explicit Page(const char* name) : name_(name), text_(line_of_page(name)) {}

    template <typename... Values> void states(fmt::format_string<Values...> sentence, Values&&... values) {
        const std::string expected = fmt::format(sentence, std::forward<Values>(values)...);
        INFO(name_ << " states: " << expected);
        CHECK(text_.find(expected) != std::string::npos);
    }

private:
    const char* name_;
    std::string text_;
};

TEST_CASE("the limits of a run in docs/security.md are those of the code [N16]") {
    Page page("security.md");
    const ScriptLimits of_mod;
    const LimitsOfAllMods of_all;
    const DrawAllowance of_game, drawn = kDrawAllowanceOfMod;
    page.states("initialiser | {} million steps", millions(of_mod.fuel_per_run));
    page.states("of a console line | {} million steps", millions(of_mod.fuel_per_load));
    page.states("| memory in use, soft | {} MB |", mb(of_mod.memory_soft));
    page.states("| memory in use, hard | {} GB |", gb(of_mod.memory_hard));
    page.states("freed or not | {} GB |", gb(of_mod.memory_per_run));
    page.states("| living entities of a mod | {}, and {} million of all mods |", grouped(of_mod.entities),
                millions(static_cast<double>(of_all.entities)));
    page.states("| time of one run on the clock | {} s |", of_mod.seconds_per_run);
    page.states("| time of loading one file | {} s |", of_mod.seconds_per_load);
    page.states("| fuel of all systems of a mod in a step | {} million steps",
                millions(of_mod.fuel_per_step));
    page.states("in interactive runs | {:.0f} ms |", of_mod.seconds_per_step * 1000);
    page.states("| {} vertices, {} times the screen area, {} text sizes (the game: {} million, {}, {}) |",
                grouped(static_cast<std::uint64_t>(drawn.vertices)), drawn.screens, drawn.font_sizes,
                millions(of_game.vertices), of_game.screens, of_game.font_sizes);
    page.states("| log lines of a mod in one step | {}, and {} KB in all |", of_mod.log_lines,
                kb(of_mod.log_bytes));
    page.states("| length of a source file | {} KB |", kb(kMaxSourceBytes));
    page.states("| log | lines as above, {} bytes each", ScriptState::kMaxLogLineBytes);
}

TEST_CASE("what a mod can make the engine store is limited as docs/security.md says [N16]") {
    Page page("security.md");
    page.states("| requested files that do not exist | {} of a mod |", AssetStore::kMaxMissing);
    page.states("| events | {} MB of each type", mb(WorldConfig{}.max_event_bytes));
    page.states("| a buffer | {} MB,", mb(kMaxBufferBytes));
    page.states("| all texts of a world | {} MB, {} KB each,", mb(TextPool::kMaxBytes),
                kb(TextPool::kMaxTextBytes));
    page.states("| blobs | {} GB of all mods", gb(BlobStore::kMaxBytes));
    page.states("| archetypes | {} of a world", grouped(kMaxArchetypes));
    page.states("| components, resources, events | {} of a mod, and its share of the {} numbers", kMaxTypes,
                grouped(kMaxComponents));
    page.states("| prefabs | {} of a mod, {} entities each, {} entities of a scene", grouped(kMaxPrefabs),
                kMaxPrefabParts, grouped(kMaxSceneEntities));
    page.states(
        "| patches of prefabs | {} of a mod; to a prefab of the game or of another mod they may add {} "
        "entities and {} KB of rows and buffers a copy, and the patches of all mods together {} entities and "
        "{} KB |",
        kMaxPatches, kPatchOfMod.parts, kb(kPatchOfMod.bytes), kPatchOfAll.parts, kb(kPatchOfAll.bytes));
    page.states("| {} MB a file, {} files, {} MB of a mod on the disk", mb(kMaxSaveBytes), kMaxSaveFiles,
                mb(kSaveBytesOfMod));
    page.states("worlds that the game saves: {} MB each, {} MB in total", mb(kMaxWorldBytes),
                mb(kWorldBytesOfGame));
    page.states("{} writes in a row, then one every {} steps |", kSaveWriteBurst, kStepsPerSaveWrite);
    page.states("| data files | {} MB,", mb(kMaxEntityFileBytes));
    page.states("which describe at most {} MB; {} entities in one prefab and {} in all prefabs of a file;",
                mb(kMaxEntityFileValueBytes), kMaxPrefabParts, grouped(kMaxDescribedParts));
    page.states("{} errors are reported", kMaxEntityFileMistakes);
    page.states("| input actions | {} of a game", kMaxActions);
    page.states("| layers with names | {} of a mod, {} of the game", LayerTable::kMaxOfMod,
                LayerTable::kMaxOfGame);
    page.states(
        "| meshes | {} MB of all together and {} of them, with a share for each mod; {} vertices each |",
        mb(MeshTable::kMaxBytes), MeshTable::kMaxMeshes, MeshTable::kMaxVertices);
    page.states(
        "| canvases, pixels | {} pixels a side, {} million (2^20) pixels of all together, with a share for "
        "each mod; {} further contents of canvases and {} hidden canvases of a mod in a frame |",
        SurfaceTable::kMaxSide, mb(SurfaceTable::kMaxPixels), SurfaceTable::kMaxFurtherPasses,
        SurfaceTable::kMaxHidden);
    page.states(
        "| shaders | {} of a mod, {} KB of source each, {} uniforms with {} numbers and vectors, and {} "
        "further images;",
        ShaderTable::kMaxOfOwner, kb(kMaxShaderBytes), kMaxUniforms, kMaxUniformElements, kMaxShaderImages);
    page.states("| particles | {}, of which a mod has {}; {} presets of a mod; {} bursts between two steps |",
                grouped(Particles::kMaxLive), grouped(Particles::kMaxLiveOfMod), Particles::kMaxPresets,
                Particles::kMaxBursts);
    page.states("| animations | {} clips of a mod, {} frames each |", AnimationClips::kMaxClips,
                AnimationClips::kMaxFrames);
    page.states("| lights, views | {} lights and {} shadow casters that can be seen; {} views |",
                Lights::kMaxLights, Lights::kMaxCasters, Views::kMax);
    page.states("| a frame | {} items, {} MB of text, {} vertices of shapes and meshes |",
                grouped(DrawList::kMaxItems), mb(DrawList::kMaxTextBytes), grouped(DrawList::kMaxMeshPoints));
    page.states("| fonts | TrueType, OpenType and BMFont, {} MB a file; {} fonts of all together,",
                mb(FontTable::kMaxFileBytes), FontTable::kMaxFonts);
    page.states("| icons in texts | {} of the game and its mods |", FontTable::kMaxIcons);
    page.states("| masks | {} in a frame, {} within each other;", DrawList::kMaxMasks,
                DrawList::kMaxMaskDepth);
    page.states("| images | PNG and JPEG, {} pixels a side,", kMaxImageSide);
    page.states("services and reactions | {} bytes |", kMaxNameBytes);
    page.states("| {} each; in `after` and `before` of all systems of a mod {} |", kMaxListedNames,
                grouped(kMaxOrderNames));
    page.states("| named queries of a system | {} |", kMaxQueries);
    page.states("| side worlds | {} of a mod; {} messages or {} MB wait in each direction |", kMaxSideWorlds,
                kMaxWaiting, mb(kMaxWaitingBytes));
    page.states("{} folders deep, {} bytes a path", AssetStore::kMaxFolderDepth, AssetStore::kMaxPathBytes);
    page.states("| folders | {} files below `assets/` or `mods/`, {} folders deep |",
                grouped(AssetStore::kMaxListedFiles), AssetStore::kMaxFolderDepth);
    page.states("{} to {} Hz; {} minutes each", grouped(kMinSoundRate), grouped(kMaxSoundRate),
                Decoder::kMaxSoundSeconds / 60);
    page.states("{} of a mod in a frame |", AudioQueue::kMaxSoundsOfMod);
    page.states("to and from services | 1 MB, {} deep |", kMaxTableDepth);
}

TEST_CASE("the limits in docs/lua-api.md are those of the code [N16]") {
    Page page("lua-api.md");
    page.states("A string has 1 to {} bytes, an array 1 to {} elements, `flags` at most {} labels.",
                grouped(kMaxStringCapacity), grouped(kMaxArrayLength), kMaxFlags);
    page.states("The game can declare {} layers, and each mod {},", LayerTable::kMaxOfGame,
                LayerTable::kMaxOfMod);
    page.states("Structs nest at most {} deep.", kMaxStructDepth);
    page.states("A mesh has at most {} vertices. All meshes of a game and its mods have {} MB together",
                MeshTable::kMaxVertices, mb(MeshTable::kMaxBytes));
    page.states("with the points between as control points (at most {})", kMaxControlPoints);
    page.states("At most {} tiles are in view", Painter::kMaxTiles);
    page.states("stored in the chunk, 0 to {}, by default {}.", kMaxBufferCapacity, Schema{}.buffer_capacity);
    page.states("string of at most {} KiB; equal texts", kb(TextPool::kMaxTextBytes));
    page.states("All texts of a world together may use {} MiB;", mb(TextPool::kMaxBytes));
    page.states("{} elements and {} MiB. Every access", grouped(kMaxBufferElements), mb(kMaxBufferBytes));
    page.states("in one move; at most {} each.", kMaxChanges);
    page.states("A system has at most {} named queries.", kMaxQueries);
    page.states("runs `n` steps, 1 without a number, at most {}.", kMaxSideSteps);
    page.states("{} side worlds of a mod exist at a time. {} messages or {} MB wait in each direction.",
                kMaxSideWorlds, kMaxWaiting, mb(kMaxWaitingBytes));
    page.states("a path has at most {} |", kMaxChildLevels);
    page.states("until nothing is left (at most {}).", int{Schedule::kMaxRounds});
    page.states("higher is nearer, {} to {} |", int{std::numeric_limits<std::int16_t>::min()},
                int{std::numeric_limits<std::int16_t>::max()});
    page.states("the window title, at most {} bytes", kMaxTitleBytes);
    page.states("A step gets at most {} events with {} bytes of text together", kMaxStepEvents,
                kMaxStepTextBytes);
    page.states("At most {} events wait.", grouped(kMaxWaitingEvents));
    page.states("has at most {} bytes, and does not begin with a dot", kMaxSaveNameBytes);
    page.states("without metatables, at most {} deep. Numbers", kMaxTableDepth);
    page.states("Limits: {} MB per file, {} files, {} MB per mod", mb(kMaxSaveBytes), kMaxSaveFiles,
                mb(kSaveBytesOfMod));
    page.states("Limits: {} MB per world (compressed), {} worlds, {} MB for all", mb(kMaxWorldBytes),
                kMaxSaveFiles, mb(kWorldBytesOfGame));
    page.states("nil when there is none. At most {} wait", WorldSaves::kMaxResults);
    page.states("priority from -{0} to {0},", int{kMaxSoundPriority});
    page.states("The screen is {} x {} logical pixels", ModManifest{}.width, ModManifest{}.height);
}

TEST_CASE("the limits in docs/events.md and docs/modding.md are those of the code [N16]") {
    Page events("events.md"), modding("modding.md");
    events.states("**Limit**: {} MiB of each type", mb(WorldConfig{}.max_event_bytes));
    events.states("After {} rounds", int{Schedule::kMaxRounds});
    modding.states("without metatables, at most {} deep and 1 MB in all.", kMaxTableDepth);
    modding.states("A mod may have {} living entities, and all mods together {} million",
                   grouped(ScriptLimits{}.entities),
                   millions(static_cast<double>(LimitsOfAllMods{}.entities)));
    modding.states("may use {} million steps of fuel", millions(ScriptLimits{}.fuel_per_run));
    modding.states("Its Lua state may use {} MB, each step may write {} lines of log",
                   mb(ScriptLimits{}.memory_soft), ScriptLimits{}.log_lines);
    modding.states("together have {} GB of Lua memory", gb(LimitsOfAllMods{}.lua_memory));
    modding.states("may add {} entities and {} KB to each copy", kPatchOfMod.parts, kb(kPatchOfMod.bytes));
    modding.states("together {} entities and {} KB", kPatchOfAll.parts, kb(kPatchOfAll.bytes));
}

TEST_CASE("the versions of interfaces in the pages are those of the code [N16]") {
    Page modding("modding.md"), plugins("plugins.md"), changelog("../CHANGELOG.md");
    modding.states("scripting interface, which is {} now", kScriptApi);
    plugins.states("`PERIGEE_PLUGIN_ABI` is {} ", PERIGEE_PLUGIN_ABI);
    changelog.states("`mod.json`, {}) and the plugin interface (`PERIGEE_PLUGIN_ABI`, {})", kScriptApi,
                     PERIGEE_PLUGIN_ABI);
}

// ---- the annotations for editors --------------------------------------------------------------------------

std::string quoted(std::string_view word) { return fmt::format("\"{}\"", word); }

TEST_CASE("groups, kinds and functions of systems in the annotations are those of the code [N15]") {
    const ApiTable api = annotated_api();
    const std::vector<std::string>* const groups = api.alias("perigee.Group");
    REQUIRE(groups != nullptr);
    std::set<std::string> expected{"string"};  // those that the game makes
    for (const std::string_view group : kFrameGroups)
        if (group != kTransforms) expected.insert(quoted(group));
    CHECK(std::set<std::string>(groups->begin(), groups->end()) == expected);

    const ApiClass* const options = api.find("perigee.SchemaOptions");
    REQUIRE(options != nullptr);
    const std::vector<std::string>& words = options->field("kind")->type.words;
    std::set<std::string> kinds;
    for (std::size_t i = 0; i < kComponentKindCount; ++i) {
        const auto kind = static_cast<ComponentKind>(i);
        if (is_component_kind(kind)) kinds.insert(quoted(kind_name(kind)));
    }
    CHECK(std::set<std::string>(words.begin(), words.end()) == kinds);

    const ApiClass* const system = api.find("perigee.System");
    REQUIRE(system != nullptr);
    for (const std::string_view name : kSystemCallbackNames) {
        INFO(name);
        CHECK(system->field(name) != nullptr);
    }
}

TEST_CASE("each method that the source check has a rule for is annotated, with the arguments that it reads") {
    const ApiTable api = annotated_api();
    for (const internal::MethodRule& rule : internal::kMethodRules) {
        INFO(rule.type << ":" << rule.name);
        const ApiClass* const type = api.find(rule.type);
        REQUIRE(type != nullptr);
        const ApiFunction* const method = type->function(rule.name);
        REQUIRE(method != nullptr);
        if (rule.takes == internal::MethodRule::Takes::of_entity) {
            const std::string& second = method->parameters.at(1).name;
            CHECK((second == "component" || second == "relation"));
        }
        if (rule.counts_query) CHECK(method->parameters.at(0).name == "query");
    }
}

TEST_CASE("docs/lua-api.md lists every field type and every kind of component [N15]") {
    const std::string text = line_of_page("lua-api.md");
    for (std::size_t i = 0; i < kFieldTypeCount; ++i) {
        const FieldTypeInfo& info = field_type_info(static_cast<FieldType>(i));
        INFO(info.name);
        const std::string name(info.name);
        const bool is_listed = info.size == 0 ? text.find("| `ecs." + name) != std::string::npos
                                              : text.find("`" + name + "`") != std::string::npos ||
                                                    text.find("`" + name + " ") != std::string::npos ||
                                                    text.find(" " + name + " ") != std::string::npos ||
                                                    text.find(" " + name + "`") != std::string::npos;
        CHECK(is_listed);
    }
    for (std::size_t i = 0; i < kComponentKindCount; ++i) {
        const std::string name(kind_name(static_cast<ComponentKind>(i)));
        INFO(name);
        CHECK(text.find(name) != std::string::npos);
    }
}

}  // namespace
}  // namespace perigee
