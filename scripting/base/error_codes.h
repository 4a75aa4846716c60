// All message texts of the C++ side of scripting; those of the Lua library are in scripts/runtime. Texts are
// fmt format strings. Each has a test that provokes it.
#pragma once

#include <array>
#include <string_view>

namespace perigee::messages {

// Files. Ends of sentences that begin with a path.
inline constexpr std::string_view kPathLeavesMod = "is not a path inside the mod";
inline constexpr std::string_view kReservedName =
    "'{0}' is a reserved name: require \"{0}\" gives the engine's module and never the file '{1}'; rename "
    "the file";

// Calls into a script.
inline constexpr std::string_view kErrorIsNoText =
    "error was called with a value of type {}, not with a message";
inline constexpr std::string_view kOutOfMemory =
    "not enough memory: asked for more than its hard limit of {:.0f} MB";
inline constexpr std::string_view kMemoryLimit = "the memory limit";
inline constexpr std::string_view kNoRoomForObjects = "its mod has no room left for objects";
inline constexpr std::string_view kBrokenObject = "an object is broken";
inline constexpr std::string_view kLimitOfMod = "{} of mod '{}'";
inline constexpr std::string_view kTooManyLines =
    "a mod may log {} and {} KB in one step; the rest is left out";
inline constexpr std::string_view kLinesLeftOut = "{} of the previous step left out, {} bytes";
inline constexpr std::string_view kLineCut = "… ({} bytes more)";
inline constexpr std::string_view kNoAddressSpace =
    "no address space is left for a Lua state: raise the limit (ulimit -v)";
inline constexpr std::string_view kBytecode = "only source text can be loaded";
inline constexpr std::string_view kSourceTooLong = "the file has {} bytes; the limit is {}";
inline constexpr std::string_view kLoopOverNil = "a loop over nil: 'in' needs a function";
inline constexpr std::string_view kNotCharged = "its loops cannot be counted";
inline constexpr std::string_view kNotCompiledCharged =
    "{} (counting fuel takes 2 of the outer variables that a function may have, up to 4 of its 200 locals "
    "around a loop, and some of its constants and jumps)";

// LuaJIT's message about a nil name, and the advice to add.
struct Advice {
    std::string_view message;
    std::string_view advice;
};
inline constexpr std::array kAdvice{
    Advice{"global 'ecs' (a nil value)", "; the file needs local ecs = require \"ecs\""},
    Advice{"global 'C' (a nil value)", "; the file needs local C = require(\"ecs\").components"},
    Advice{"global 'love' (a nil value)",
           "; this is not LÖVE: draw with gfx, play sounds with audio and read keys with input"},
    Advice{"global 'io' (a nil value)",
           "; scripts cannot access files; they read data of their mod with ecs.load_prefabs and "
           "require"},
    Advice{"global 'os' (a nil value)",
           "; scripts cannot access the system; the time of the game is ctx.time"},
    Advice{"global 'debug' (a nil value)", "; scripts have no debug library"},
    Advice{"global 'loadstring' (a nil value)", "; write load(text)"},
    Advice{"global 'package' (a nil value)",
           "; scripts have no package library; require finds files of the mod"},
    Advice{"has no '__ipairs' metamethod",
           "; this is not a table: rows and columns are read by number, for i = 1, chunk.count do … end"},
    Advice{"local 'chunk' (a nil value)",
           "; a system without a query gets no chunk: declare one, as in query = { read = { "
           "C.Position } "
           "}"},
};

// Ends of a run. The position is that of the loop turn or call that detected it.
#define PERIGEE_FUEL_ADVICE                                                                                  \
    "the limit of one run; a loop over all pairs is the usual cause, and 'instructions' in mod.json allows " \
    "more"
inline constexpr std::string_view kFuel = "used more than {:.0f} steps of fuel, " PERIGEE_FUEL_ADVICE;
inline constexpr std::string_view kFuelOfLoop =
    "this needs more than {:.0f} steps of fuel at once, " PERIGEE_FUEL_ADVICE;
#undef PERIGEE_FUEL_ADVICE
inline constexpr std::string_view kMemory = "uses {:.1f} MB of memory, more than its limit of {:.1f} MB";
inline constexpr std::string_view kMemoryOfAll =
    "uses {:.1f} MB of memory, and all mods together use {:.1f} of their {:.1f} MB, {:.1f} reserved for each "
    "mod; \"*\" in the player's settings allows more";
inline constexpr std::string_view kLoadTimeOfAll =
    "; all mods together may take {:.1f} s to load, and the rest is used up; \"*\" in the "
    "player's settings allows more";
inline constexpr std::string_view kNoLoadTime =
    "it does not load: all mods together may take {:.1f} s to load, and the rest is used up; "
    "\"*\" in the player's settings allows more";
inline constexpr std::string_view kAllocation =
    "allocated more than {:.0f} MB of memory in one run, including what was freed";
inline constexpr std::string_view kModTakesTooMuch =
    "the systems of this mod together take {:.1f} ms and {:.1f} million steps of fuel in a step, where "
    "{:.1f} ms and {:.1f} million are allowed; they were delayed again and again and are now suspended";
inline constexpr std::string_view kGivenUp =
    "ran for more than {:.1f} seconds and could not be stopped; its memory was discarded, and it starts "
    "again when one of its files is saved";
inline constexpr std::string_view kTime = "ran for more than {:.1f} seconds, the limit of one run";
inline constexpr std::string_view kWorldShare =
    "this mod uses {:.1f} MB of its {:.1f} MB of world memory, and there is no room for more {}";
inline constexpr std::string_view kWorldOfAll =
    "this mod uses {:.1f} MB of the {:.1f} MB of world memory for all mods together, {:.1f} reserved for "
    "each mod, and there is no room for more {}; \"*\" in the player's settings allows more";
inline constexpr std::string_view kModStepTime =
    "the systems of this mod have run for {} s in one step; no more of them start in it";
inline constexpr std::string_view kTooManyOrders =
    "the systems of a mod may name {} others in 'after' and 'before' together; this one exceeds that";
inline constexpr std::string_view kNoMemory =
    "there is no memory for this, or this mod has reached its limit";
inline constexpr std::string_view kMoreMistakes = "and {} in these files";
inline constexpr std::string_view kTooManyCommands = "its list of commands has become too long: {}";
inline constexpr std::string_view kPoolFull =
    "this mod has used up its quota of the {} of the world; the rest is reserved for the game and other mods";
inline constexpr std::string_view kWorldFull = "the world is full";
inline constexpr std::string_view kEntitiesOfMod =
    "this mod has {} of the {} live entities that it may have; 'entities' in mod.json allows more";
inline constexpr std::string_view kEntitiesOfAll =
    "this mod has {} live entities; all mods together may have {}, {} reserved for each mod; "
    "\"*\" in the player's settings allows more";
inline constexpr std::string_view kTooManyOfMod = "a mod may have {} {}; this one would have more";
inline constexpr std::string_view kTimeLimit = "the time limit";
inline constexpr std::string_view kModLoadedTwice = "a mod named '{}' is already loaded";
inline constexpr std::string_view kNoSuchMod = "no mod named '{}' is loaded";
inline constexpr std::string_view kNeedsFailedMod = "it needs mod '{}', which did not load";
inline constexpr std::string_view kNoSystemToChange = "there is no system '{}'{}";
inline constexpr std::string_view kGroupIsNoSystem = "'{}' is a group of systems; name one of its systems";
inline constexpr std::string_view kNothingToSwitch = "there is no system or group '{}'{}";
inline constexpr std::string_view kEngineGroupRuns =
    "'{}' is a group of the engine; declare a group of your own inside it";
inline constexpr std::string_view kSwitchedByOwner =
    "'{}' belongs to '{}'; a mod switches and runs its own systems and groups, and the game those of all "
    "mods";
inline constexpr std::string_view kSystemIsNoGroup = "'{}' is a system; name a group";
inline constexpr std::string_view kJobsOfSystem =
    "a system with a query of its own, an exclusive one and a reaction start no jobs; visit rows with "
    "queries = { name = … }";
inline constexpr std::string_view kJobsInRun = "jobs are started in 'run'";
inline constexpr std::string_view kMigratedBlob =
    "'migrate' sets the field '{}', a blob; blobs of a saved world stay as they are";
inline constexpr std::string_view kTooManyJobs = "more than {} jobs in one run";
inline constexpr std::string_view kConditionDeclares =
    "run_if decides whether a system runs and declares nothing; do it in 'run'";
inline constexpr std::string_view kPresentationRuns =
    "'{}' belongs to presentation, which runs once per frame; name a group of the simulation";
inline constexpr std::string_view kNotUsed =
    "'{}' belongs to mod '{}'; name that mod in 'depends' or 'optional' of mod.json";
inline constexpr std::string_view kReplacedByOther =
    "system '{}' was already replaced by mod '{}'; to replace it again, name that mod in 'depends' or "
    "'optional' of mod.json";
inline constexpr std::string_view kNoPrefabToChange = "there is no prefab '{}'";
inline constexpr std::string_view kPatchTooLarge =
    "prefab '{}' would get {} more {} from the patches of mod '{}'; one mod may add at most {} to a prefab "
    "of the game or of another mod";
inline constexpr std::string_view kPatchesTooLarge =
    "with this patch of mod '{3}', prefab '{0}' would get {1} more {2} from patches of mods; all mods "
    "together may add at most {4} to a prefab";
inline constexpr std::string_view kNoSuchImport =
    "'{}' is not named in 'depends' or 'optional' of mod.json, so it cannot be imported";
inline constexpr std::string_view kGameImports =
    "a game imports no mods; if this is a mod of '{0}', it runs with that game: perigee run GAME --mods DIR, "
    "where DIR is the folder that contains it";
inline constexpr std::string_view kServiceTwice = "service '{}' already exists";
inline constexpr std::string_view kServiceGone = "service '{}' no longer exists";
inline constexpr std::string_view kServiceOff =
    "service '{}': its mod was switched off after its systems had failed too often";
inline constexpr std::string_view kServiceNotInside = "service '{}': not inside {}";
inline constexpr std::string_view kServiceNotDeclared =
    "service '{0}' is not declared; add access = {{ services = {{ \"{0}\" }} }} to the system";
inline constexpr std::string_view kServiceCycle = "service '{}': mods call each other in a cycle: {}";
inline constexpr std::string_view kServiceArguments = "service '{}', arguments: {}";
inline constexpr std::string_view kServiceResults = "service '{}', results: {}";
inline constexpr std::string_view kServiceFailed = "service '{}': {}";
inline constexpr std::string_view kCopyType = "a value of type {} cannot be passed to another mod or world";
inline constexpr std::string_view kCopyKey =
    "a table with a key of type {} cannot be passed to another mod or world; use numbers, strings or "
    "booleans as keys";
inline constexpr std::string_view kCopyMetatable =
    "a table with a metatable cannot be passed to another mod or world";
inline constexpr std::string_view kCopyDeep = "tables are nested more than {} deep, or contain themselves";
inline constexpr std::string_view kCopyLarge = "more than {} bytes cannot be passed to another mod or world";
inline constexpr std::string_view kInMessage = "message: {}";
inline constexpr std::string_view kSideOtherFile =
    "the side world '{}' was made from the file '{}'; destroy it first";
inline constexpr std::string_view kTooManySides =
    "a mod may have {} side worlds at a time; destroy one first";
inline constexpr std::string_view kNoSideFile = "the mod has no file '{}'";
inline constexpr std::string_view kSideMemory =
    "side world '{}': the mod has used up its world memory, to which its side worlds count";
inline constexpr std::string_view kNoPictures = "this program draws no side worlds";
inline constexpr std::string_view kMailFull =
    "{} messages or {} bytes wait to be received on the other side, which is the limit";
inline constexpr std::string_view kSentDead = "entity {:.0f} is not alive in this world";
inline constexpr std::string_view kSentObject =
    "'{}' is an object component, whose values belong to one world; remove it from the entity first";
inline constexpr std::string_view kSentLocked = "no entity can move while a query is being visited";
inline constexpr std::string_view kNoAssets = "this program has no assets: only nil can be assigned";
inline constexpr std::string_view kDataChanged =
    "{} has changed; restart the game (Ctrl+R) to read its prefabs";
inline constexpr std::string_view kNoDataFiles = "this program reads no data files";
inline constexpr std::string_view kNoConstant = "C++ has no constant '{}' for the Lua library";
inline constexpr std::string_view kStateSetUp = "the Lua library of the engine failed to load: {}";

// Findings of the source check (source_check.h).
inline constexpr std::string_view kInSystem = "system '{}': {}";
inline constexpr std::string_view kUnknownComponent = "unknown component '{}'{}";
inline constexpr std::string_view kModHasNo = "mod '{}' has no {} '{}'{}";
inline constexpr std::string_view kNotInQuery =
    "chunk: '{}' is not in its query; declare it under query.read or query.write";
inline constexpr std::string_view kNoSuchColumn = "chunk: '{}' is not in its query{}";
inline constexpr std::string_view kNoSuchField = "{}: unknown field '{}'{}";
inline constexpr std::string_view kHasNoEntry = "{} has no entry '{}'{}";
inline constexpr std::string_view kNotDeclared =
    "{} is not declared; add it to access.read or access.write of the system";
inline constexpr std::string_view kReadOnlyHere =
    "{} is read-only here; declare the component under 'write' to change it";
inline constexpr std::string_view kNeverChanges = "{} is read-only: a sent event never changes";
inline constexpr std::string_view kSharedNotAssigned =
    "{} is shared by all rows of the chunk; use ctx.commands:set(entity, C.{} {{ … }})";
inline constexpr std::string_view kCountOfRuns =
    "chunk.count: this system asked for runs; loop with for first, last in chunk:runs()";
inline constexpr std::string_view kNoCommandsHere =
    "a presentation system sees a finished world and has no commands";
inline constexpr std::string_view kIsResource = "ctx:{}: '{}' is a resource; use ctx:resource";
inline constexpr std::string_view kIsNoResource =
    "ctx:{}: '{}' is not a resource; use ctx:try_get with an entity";
inline constexpr std::string_view kIsEvent = "ctx:{}: '{}' is an event; read it with ctx:events";
inline constexpr std::string_view kIsNoEvent = "ctx:{}: '{}' is not an event";
inline constexpr std::string_view kNotOfContext = "ctx has no entry '{0}'; did you mean ctx.commands:{0}?";
inline constexpr std::string_view kNoWorldHere =
    "ecs.world:{}: not inside a system; use ctx.commands for changes and ctx:try_get for values";
inline constexpr std::string_view kBadArgument = "bad argument #{} to '{}': expected {}, got {}{}";
inline constexpr std::string_view kBadOption = "{}: option '{}': expected {}, got {}{}";
inline constexpr std::string_view kUnknownOption = "{}: unknown key '{}'{}";
inline constexpr std::string_view kBadText = "{}: {}";
inline constexpr std::string_view kBadLabel = "{}: expected one of the labels {}, got '{}'{}";
inline constexpr std::string_view kBadFieldType = "{}: expected {}, got {}";
inline constexpr std::string_view kUndefinedGlobal = "global '{}' is not defined{}";
inline constexpr std::string_view kLeakedGlobal =
    "global '{}' is only used where it is set{}; make it local, or set it at the top of the file if others "
    "need it";
inline constexpr std::string_view kNothingCalls = "nothing calls the function '{}'; {}";
inline constexpr std::string_view kAccidentalColor =
    "{}: argument #{} is a colour, and {} is black and almost transparent; leave out LÖVE's number of "
    "segments; "
    "gfx.rounded_rectangle has round corners";
inline constexpr std::string_view kIsNotLove = "this is not LÖVE";
inline constexpr std::string_view kNotLove = "this is not LÖVE, and there is no love.{}; {}";
inline constexpr std::string_view kNeverMatches =
    "it can never run: its query requires '{}' and excludes '{}' under 'without'";
inline constexpr std::string_view kNoneOfAny =
    "it can never run: its query excludes everything that 'any' lists";
inline constexpr std::string_view kNothingHas =
    "it never runs: nothing has component '{}'; no prefab, spawn or add names it";
inline constexpr std::string_view kNeverWritten =
    "it declares '{}' under write and never writes it; under read, other systems could run in parallel";
inline constexpr std::string_view kNeverUsed = "it declares access to '{}' and does not use it";
inline constexpr std::string_view kBothPatch =
    "prefab '{}': mod '{}' changes the same part ({}:{}), and mod '{}', which loads later, overrides it; "
    "name the first in 'depends' or 'optional' of mod.json if this is intended";
inline constexpr std::string_view kUnordered =
    "'{}' and '{}' both write '{}' and only their names order them; use before or after";

}  // namespace perigee::messages
