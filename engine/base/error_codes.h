// All message texts of the engine layer for script authors, players and the command line.
//
// Invariant: texts are only here, as fmt format strings, and a test in tests/engine provokes each one.
#pragma once

namespace perigee::engine_errors {

// input
inline constexpr char kActionNameEmpty[] = "input action: expected a name, got an empty string";
inline constexpr char kActionNameTooLong[] =
    "input action '{}…': a name has at most {} bytes, this one has {}";
inline constexpr char kTooManyActions[] =
    "input action '{}': there is no room for it; a game and its mods have at most {} actions together";
inline constexpr char kUnknownControl[] = "unknown {} '{}'{}";

// input log
inline constexpr char kLogNotALog[] = "replay: this file is not a perigee input log";
inline constexpr char kLogOtherVersion[] = "replay: the log has version {}, this program reads version {}";
inline constexpr char kLogBadHeader[] =
    "replay: the header of the log is damaged: expected the lines game, seed, rate";
inline constexpr char kLogTruncated[] =
    "replay: the log is truncated: it ends after step {} without an end mark";
inline constexpr char kLogCorrupt[] = "replay: the log is corrupt near byte {}, after step {}";
inline constexpr char kLogBadChecksum[] = "replay: the log is corrupt: its checksum does not match";
inline constexpr char kLogOtherGame[] = "replay: the log was recorded with game '{}', this is '{}'";
inline constexpr char kLogOtherRate[] =
    "replay: the log was recorded at {} steps per second, this game runs at {}";
inline constexpr char kNothingToWatch[] = "watch: there is no file or folder '{}'";
inline constexpr char kCannotRecord[] = "record: cannot write '{}': {}";
inline constexpr char kCannotReadReplay[] = "replay: '{}' {}";
inline constexpr char kInFile[] = "'{}': {}";
inline constexpr char kReplayOtherSeed[] = "replay: the log has seed {}, but seed {} was requested";
inline constexpr char kReplayDiverged[] =
    "replay: diverged: the recording ended with hash {:016x}, this run with {:016x} after step {}";
inline constexpr char kReplayDivergedBetween[] =
    "replay: diverged: after step {} the world is the recorded one, after step {} it is not";
inline constexpr char kReplayTooShort[] = "replay: the recording ends after step {}, before step {}";
inline constexpr char kReplayEndedByGame[] = "replay: the game ended the run after step {}, before step {}";
inline constexpr char kWorldNotRecorded[] = "record: no more worlds are stored: {}";
inline constexpr char kNotReplayable[] =
    "{} changed what happened in step {}: a replay of this run may differ";
inline constexpr char kReplayLimit[] =
    "replay: the recording is unreliable after step {}: {} changed what happened there";
inline constexpr char kReplayDivergedByLimit[] =
    "replay: diverged; a possible reason: {} changed what happened in step {} of the recording, which ended "
    "with hash {:016x}, this run with {:016x}";
inline constexpr char kReplayOtherLuaJit[] =
    "replay: the recording was made with {}, and this program has {}: scripts may compute different results";
inline constexpr char kReplayDivergedByLuaJit[] =
    "replay: diverged; a possible reason: the recording was made with {}, and this program has {}; it ended "
    "with hash {:016x}, this run with {:016x}";
inline constexpr char kCannotRestart[] = "restart: {}; the running game continues";

inline constexpr char kReplayQuit[] =
    "replay: diverged: the game ended the run after step {}, and the recording continues to step {}";

// questions about writes
inline constexpr char kWhyNothing[] = "why: name an entity, or a resource: Match.coins";
inline constexpr char kWhyEntity[] =
    "why: '{}' is not an entity; expected 1234, 1234:2 or the number that a script prints";
inline constexpr char kWhyNoEntity[] = "why: there was no entity {} up to step {}";
inline constexpr char kWhyNoComponent[] = "why: there is no component or resource '{}'{}";
inline constexpr char kWhyHasField[] = "; '{}' has a field '{}'";
inline constexpr char kWhyNoField[] = "why: component '{}' has no field '{}'{}";
inline constexpr char kWhyNotRecorded[] = "why: start the game with --provenance to record writes";
inline constexpr char kWhyNoneHere[] =
    "why: there is no entity with a Position under the mouse; name one: :why 1234";
inline constexpr char kWhyResource[] = "why: '{}' is a resource and belongs to no entity";
inline constexpr char kWhyWhichEntity[] = "why: '{}' is a component: name the entity too";
inline constexpr char kWhyNoValue[] = "why: '{}' is of kind {}; only components and resources keep values";

// player data: for scripts, so they name no folder of the machine
inline constexpr char kSaveDamaged[] = "is damaged, and there is no previous version";
inline constexpr char kSaveUnreadable[] = "cannot be read: it {}";
inline constexpr char kSaveCannotWrite[] = "cannot be written: {1}";
inline constexpr char kSaveCannotList[] = "the folder cannot be listed: {}";
inline constexpr char kSaveCannotRemove[] = "cannot be deleted: {}";
inline constexpr char kSaveTooLarge[] = "cannot be written: it takes {} bytes, and a file has at most {}";
inline constexpr char kSaveTooMany[] = "cannot be written: there are {} files already, which is the limit";
inline constexpr char kSaveQuota[] =
    "cannot be written: the mod would have {} bytes, and its limit is {}; request more with 'save_mb' in "
    "mod.json";
inline constexpr char kSaveTooOften[] =
    "must wait: after {} writes, deletions or loads in a row, one is allowed every {} steps";
inline constexpr char kSaveWorldQuota[] =
    "cannot be written: all saved worlds would have {} bytes, and their limit is {}";
inline constexpr char kWorldUnknown[] = "does not exist";
inline constexpr char kWorldCannotSave[] = "cannot be saved: {}";
inline constexpr char kWorldCannotLoad[] = "cannot be loaded: {}";
inline constexpr char kWorldRequest[] = "world '{}' {}";
inline constexpr char kSaveNotRecorded[] = "the recording has no answer to this";

// hash log
inline constexpr char kHashLogNotALog[] = "hash log: this file is not a perigee hash log";
inline constexpr char kHashLogOtherVersion[] =
    "hash log: the log has version {}, this program reads version {}";
inline constexpr char kHashLogBadHeader[] =
    "hash log: the header is damaged: expected the lines game, seed, rate";
inline constexpr char kHashLogCorrupt[] = "hash log: corrupt near byte {}, after step {}";
inline constexpr char kCannotWriteHashLog[] = "hash log: cannot write '{}': {}";
inline constexpr char kCannotWriteTrace[] = "profile: cannot write '{}': {}";
inline constexpr char kHashDiffLog[] = "log {}: {}";
inline constexpr char kHashDiffGames[] = "the logs are of different games, '{}' and '{}'";
inline constexpr char kHashDiffSeeds[] = "the seeds differ: {} and {}";
inline constexpr char kHashDiffRates[] = "the steps per second differ: {} and {}";
inline constexpr char kHashDiffLuaJits[] =
    "the scripts ran on different LuaJITs, {} and {}, which may be the reason for a difference";
inline constexpr char kHashDiffLimit[] =
    "log {} is unreliable after {}: {} changed what happened, and another run may differ";
inline constexpr char kHashDiffCutOff[] = "log {} was cut off after {}";
inline constexpr char kHashDiffEndsEarlier[] = "log {} ends after {}, the other continues";

// manifest
inline constexpr char kNoJson[] = "{}: not valid JSON: {}";
inline constexpr char kJsonExpected[] = "expected {}, found {}";
inline constexpr char kJsonAfterEnd[] = "there is text after the end";
inline constexpr char kJsonTooDeep[] = "more than {} levels of brackets";
inline constexpr char kJsonTooMany[] = "more than {} values";
inline constexpr char kJsonComment[] = "JSON has no comments";
inline constexpr char kJsonSingleQuote[] = "texts are written in double quotes";
inline constexpr char kJsonCommaBeforeEnd[] = "there is a comma before the closing bracket";
inline constexpr char kJsonEscape[] = "there is no such escape; a backslash itself is written \\\\";
inline constexpr char kJsonNoClosingQuote[] = "this text has no closing quote in its line";
inline constexpr char kJsonNumber[] = "this is not a JSON number";
inline constexpr char kJsonUnreadable[] = "a text that is not UTF-8, or a number that is too large";
inline constexpr char kManifestNoObject[] = "mod.json: expected an object { … }";
inline constexpr char kManifestUnknownKey[] = "mod.json: unknown key '{}'{}";
inline constexpr char kManifestValue[] = "mod.json: '{}': expected {}, got {}";
inline constexpr char kManifestNoId[] =
    "mod.json: '{}': '{}' is not a mod id: 1 to {} letters, digits, '_' or '-'";
inline constexpr char kManifestSettingName[] =
    "mod.json: '{}': '{}' is not a setting name: letters, digits and '_', not starting with a digit";
inline constexpr char kManifestSettingType[] = "mod.json: '{}': a setting needs a 'type'";
inline constexpr char kManifestNoChoices[] = "mod.json: '{}': a choice needs 'choices'";
inline constexpr char kManifestEmptyRange[] = "mod.json: '{}': 'min' is larger than 'max'";

inline constexpr char kManifestTooLarge[] = "mod.json: it is larger than {} bytes";

// mods
inline constexpr char kTooManyMods[] = "there are {} mods, and a game can have at most {}";
inline constexpr char kNoSettingsFile[] = "settings: '{}' {}";
inline constexpr char kSettingsValue[] = "{}: '{}': expected {}, got {}";
inline constexpr char kSettingsKey[] = "{}: unknown key '{}'{}";
inline constexpr char kSettingsNoMod[] = "{}: there is no mod '{}'{}";
inline constexpr char kRequestTooLarge[] =
    "mod '{0}' requests {1} {2:.0f} and gets {3:.0f}; to allow more, add this to your settings: {{ \"{0}\": "
    "{{ \"permissions\": {{ \"{1}\": {2:.0f} }} }} }}";
inline constexpr char kRequestsApp[] =
    "mod '{0}' requests to end the run and change the window; to allow it, add this to your settings: {{ "
    "\"{0}\": {{ "
    "\"permissions\": {{ \"app\": true }} }} }}";
inline constexpr char kRequestsShaders[] =
    "mod '{0}' requests to bring shaders, which can make the graphics driver hang; to allow it, add this to "
    "your "
    "settings: {{ \"{0}\": {{ \"permissions\": {{ \"shaders\": true }} }} }}";
inline constexpr char kUnknownSetting[] = "{}: mod '{}' has no setting '{}'{}";
inline constexpr char kSettingValue[] = "{}: '{}.settings.{}': expected {}; the mod's own value is used";
inline constexpr char kNoModToLeaveOut[] = "there is no mod '{}' to leave out{}";
inline constexpr char kModLeftOut[] = "mod '{}' is left out";
inline constexpr char kModApi[] = "it is made for scripting interface {}, and this program has {}";
inline constexpr char kGameApi[] =
    "mod.json: 'api': the game is made for scripting interface {}, and this program has {}";
inline constexpr char kModNative[] = "mod.json: 'native': only the game itself may bring native code";
inline constexpr char kModReserved[] = "the engine's own names begin with this id; it needs another one";
inline constexpr char kModGameId[] = "this is the id of the game; a mod needs its own";
inline constexpr char kModTwice[] = "there are two mods of this id; '{}' is left out, '{}' is used";
inline constexpr char kModNoMain[] = "it has no main.lua";
inline constexpr char kModVersion[] = "it needs {} {}, but {} is installed";
inline constexpr char kModOptionalVersion[] = "it supports {} {}, but {} is installed";
inline constexpr char kModMissing[] = "it needs {} {}, which is not installed";
inline constexpr char kModConflict[] = "it conflicts with {} {}";
inline constexpr char kModCycle[] = "the load order has a cycle: {}";
inline constexpr char kModInCycle[] = "it is part of a cycle in the load order";
inline constexpr char kModDependsOnLeftOut[] = "it needs {}, which is left out";
inline constexpr char kNoModFolder[] = "'{}': cannot read this mod folder: {}";
inline constexpr char kOrderAfter[] = "after {}: {}";
inline constexpr char kOrderDepends[] = "depends on {} {}";
inline constexpr char kOrderOptional[] = "optional {} {}";
inline constexpr char kOrderLoadAfter[] = "load_after";
inline constexpr char kOrderLoadBefore[] = "{} says load_before";
inline constexpr char kOrderMore[] = "; and {} more";
inline constexpr char kOrderByName[] = "by name";

// versions
inline constexpr char kNoVersion[] = "'{}' is not a version: expected three numbers such as 1.2.0";
inline constexpr char kNoVersionRange[] =
    "'{}' is not a version range: expected something like ^1.2, ~1.2.3, 1.x, \">=1.2 <3\" or *";

// files of data
inline constexpr char kDataMistake[] = "{}: {}";
inline constexpr char kDataMistakeAt[] = "{}:{}: {}: {}";
inline constexpr char kDataMoreMistakes[] = "{}: and {} more";
inline constexpr char kDataExpected[] = "expected {}, got {}";
inline constexpr char kDataUnknown[] = "unknown {} '{}'{}";
inline constexpr char kDataTooMany[] = "there are more than {1} {0}";
inline constexpr char kDataWork[] = "loading takes {:.0f} steps of work, and {:.0f} are left";
inline constexpr char kDataWorkOfEntities[] = "the steps of work that are left are enough for {} entities";
inline constexpr char kDataEnabled[] =
    "'$enabled' is true or false, and '{}' must be an enableable component";
inline constexpr char kDataNoAssets[] = "there are no assets here, so only \"\" is possible";
inline constexpr char kDataPrefabName[] = "a prefab has a name";
inline constexpr char kDataResource[] =
    "expected an object of fields for a resource of the game, and '{}' is not a resource";
inline constexpr char kDataParentLoop[] = "'{}' is a descendant of this entity";
inline constexpr char kDataNoUtf8[] = "a text cannot be written to JSON: {}";

// input
inline constexpr char kNoAction[] = "unknown action '{}'{}";
inline constexpr char kNoActionHint[] =
    ": declare it with input.action, or use the name of a key, \"mouse_left\" or \"pad_a\"";

// drawing
inline constexpr char kPositionShape[] =
    "component 'Position': sprites need f32 fields x and y, so none is drawn";

// animations
inline constexpr char kEmptyClip[] = "clip '{}' has no frames";
inline constexpr char kLongClip[] = "clip '{}' has {} frames, and a clip has at most {}";
inline constexpr char kTooManyClips[] = "clip '{}': there is no room for it; a mod has at most {} clips";
inline constexpr char kUnknownClip[] = "gfx.Animation: there is no clip '{}'{}";
inline constexpr char kAsepriteShape[] =
    "'{}' is not a sheet that Aseprite exported as JSON: expected \"frames\" and \"meta\"";
inline constexpr char kAsepriteTrimmed[] = "'{}' has trimmed frames; export the sheet without trimming";
inline constexpr char kAsepriteTag[] = "'{}': tag '{}' is from frame {} to {}, and there are {} frames";
inline constexpr char kAsepriteNoTag[] = "'{}' has no tag '{}'{}";

// particles
inline constexpr char kUnknownParticles[] = "there is no preset of particles '{}'{}";
inline constexpr char kTooManyPresets[] =
    "preset '{}': there is no room for it; a mod has at most {} presets";
inline constexpr char kTooManyParticles[] =
    "particles of '{}' are left out: there are at most {} at once, of one mod at most {}";

// on the screen
inline constexpr char kMemoryOfSystem[] = "the memory that system '{}' did not get";
inline constexpr char kUndrawable[] =
    "{} cannot be drawn: the position or size is not finite, for example of entity {}:{}";
inline constexpr char kNoLayer[] =
    "'{}' is not a layer: expected the name of one, a number, or a range like 5..20{}";
inline constexpr char kUnknownLayer[] =
    "no layer '{}' is declared{}; gfx.layer(\"name\", {{ order = 5 }}) declares one";
inline constexpr char kLayerNumberTaken[] =
    "gfx.layer '{}': order {} is that of layer '{}' already; a layer needs an order of its own";
inline constexpr char kLayersOverlap[] =
    "gfx.layer '{}': it has the layers {} to {}, and '{}' has {} to {}; one of them must have all or none of "
    "the other's";
inline constexpr char kTooManyLayers[] = "gfx.layer '{}': the game can declare {} layers, and each mod {}";
inline constexpr char kNoCanvasOfView[] =
    "gfx.View: there is no canvas '{}', which gfx.canvas(width, height, {{ name = … }}) would make{}";
inline constexpr char kSystemSuspended[] = "system '{}' is suspended";
inline constexpr char kOfEntity[] = "entity {}, with";
inline constexpr char kRolledBack[] = "Its commands and events were dropped; what it wrote to columns stays.";
inline constexpr char kReloaded[] = "{} runs with its new code, after {:.1f} ms";
inline constexpr char kReloadedRows[] = "{} moved to the new schema";
inline constexpr char kLoadInReplay[] = "a replay loads no saved world";
inline constexpr char kSideWorldExists[] =
    "the side world '{}' exists, and a file has one world; the game has to destroy it first";
inline constexpr char kNothingToSave[] =
    "the game did not load, so that its world has nothing to save; nothing is written";
inline constexpr char kLoadedWorld[] = "a world that was loaded from a file";
inline constexpr char kAbsentType[] =
    "the saved world has {} '{}', whose mod is not there; it stays in the world and in its saves";
inline constexpr char kRewound[] = "going back to an earlier step";
inline constexpr char kNoRewind[] = "the game cannot go back to earlier steps: {}";
inline constexpr char kNoMemoryForSteps[] = "there is no memory for them";
inline constexpr char kReloadOf[] = "a file of mod '{}' that was saved while it ran";
inline constexpr char kNeedsRestart[] = "{} has changed; press Ctrl+R to restart with it";
inline constexpr char kSwitchedOff[] =
    "mod '{}' is switched off, since its systems failed {} times; the game continues without it, and saving "
    "one of its files switches it on again";
inline constexpr char kCannotWatch[] = "file changes are not detected: {}";
inline constexpr char kInRow[] = "(row {})";
inline constexpr char kManyTimes[] = "{}  ({} times)";
inline constexpr char kNothingToDo[] =
    "main.lua declares no system and no function update(dt) or draw(), so nothing will happen";
inline constexpr char kPaused[] = "paused";
inline constexpr char kReplayEnded[] = "end of the replay";

// native systems
inline constexpr char kUnknownNative[] = "mod.json: 'native': this program has no systems '{}'{}";
inline constexpr char kNativeFailed[] = "native systems '{}': {}";

// plugins
inline constexpr char kPluginNoFile[] = "plugin '{}': it {}";
inline constexpr char kPluginCannotLoad[] = "plugin '{}': cannot be loaded: {}";
inline constexpr char kPluginNoEntry[] =
    "plugin '{}': not a Perigee plugin: it exports no '{}', which PERIGEE_PLUGIN defines";
inline constexpr char kPluginOtherAbi[] =
    "plugin '{}': it was built for plugin interface {}, and this program has {}; build it again with this "
    "program's engine/plugin/plugin_abi.h";
inline constexpr char kPluginRefused[] = "plugin '{}': {}";
inline constexpr char kPluginReturned[] = "it returned {} and gave no reason";
inline constexpr char kPluginTooLate[] = "{} can be called only in perigee_plugin; the call was ignored";
inline constexpr char kPluginTypeWithoutName[] = "a type without a name";
inline constexpr char kPluginKind[] = "type '{}': there is no kind {}";
inline constexpr char kPluginNoFields[] = "type '{}': it has fields, but 'fields' is null";
inline constexpr char kPluginField[] = "type '{}', field {}: expected a name and a field type, got type {}";
inline constexpr char kPluginSystemWithoutName[] = "a system without a name";
inline constexpr char kPluginNothingToRun[] = "system '{}': neither run nor run_chunk is set";
inline constexpr char kPluginTerms[] = "'{}': expected at most {} terms, got {}, or 'terms' is null";
inline constexpr char kPluginTermType[] = "'{}': a term names component type {}, which does not exist";
inline constexpr char kPluginAccess[] = "'{}': there is no access {}";
inline constexpr char kPluginOrder[] = "system '{}': a name in before or after is null";
inline constexpr char kPluginNoRows[] = "system '{}': run_chunk needs a term that selects rows";
inline constexpr char kPluginGroupWithoutName[] = "a group without a name";
inline constexpr char kPluginJobWithoutName[] = "a job without a name";
inline constexpr char kPluginJobCommands[] =
    "'{}' records commands, which a job cannot; the system that starts it can";
inline constexpr char kPluginWrongKind[] = "'{}' is of kind {}; expected {}";
inline constexpr char kPluginSendFromMany[] = "a parallel chunk cannot send events; send them from run";
inline constexpr char kPluginBufferMemory[] = "there is no memory for {} elements of '{}'";
inline constexpr char kPluginNoSuchType[] = "there is no component type {}";
inline constexpr char kPluginUndeclared[] = "it uses '{}', which it did not declare";
inline constexpr char kPluginNoPrefab[] = "there is no prefab '{}'";
inline constexpr char kPluginCommand[] = "commands of plugins cannot do this to '{}', of kind {}";
inline constexpr char kPluginSetWithoutValue[] = "set needs a value";
inline constexpr char kNativeFileRefused[] =
    "mod.json: 'native': '{}' is machine code, which no sandbox can confine; if you trust it, run with "
    "--allow-native";
inline constexpr char kNativeFilePath[] = "mod.json: 'native': the path '{}' {}";

// assets
inline constexpr char kNoSuchFolder[] = "'{}': no such folder or archive";
inline constexpr char kCannotMount[] = "'{}': not a folder and not a readable zip archive ({})";
inline constexpr char kZipFile[] = "it {}";
inline constexpr char kZipNone[] = "it is not a zip archive";
inline constexpr char kZipDamaged[] = "its directory is damaged";
inline constexpr char kZipTooLarge[] = "it is larger than 4 GB";
inline constexpr char kZipEntries[] = "it has more than {} entries";
inline constexpr char kZipName[] = "it has a path of more than {} bytes";
inline constexpr char kZipDepth[] = "its folders are nested more than {} deep";
inline constexpr char kZipEncrypted[] = "it is encrypted";
inline constexpr char kZipMethod[] = "it is packed by method {}; stored and deflated files can be read";
inline constexpr char kZipBomb[] = "it claims to pack {} MB into {} MB";
inline constexpr char kMountTooDeep[] = "'{}': folders of assets are nested more than {} deep";
inline constexpr char kMountTooMany[] = "'{}': there are more than {} files";
inline constexpr char kMountNameInUse[] = "a mod named '{}' is loaded already";
inline constexpr char kBadPath[] = "asset path '{}': {}";
inline constexpr char kPathEmpty[] = "is empty";
inline constexpr char kPathTooLong[] = "is longer than 255 bytes";
inline constexpr char kTooManyMissing[] =
    "does not exist, like a thousand other files that this mod requested; further files are not looked up";
inline constexpr char kPathAbsolute[] = "is absolute; paths are relative to the game's folder";
inline constexpr char kPathBackslash[] = "contains a backslash; use '/' on every system";
inline constexpr char kPathColon[] = "contains ':'";
inline constexpr char kPathControl[] = "contains a control character";
inline constexpr char kPathEmptyPart[] = "contains an empty part";
inline constexpr char kPathDots[] = "contains '.' or '..' as a part; paths never leave the game's folder";
inline constexpr char kCannotRead[] = "'{}' {}";
inline constexpr char kDoesNotExist[] = "does not exist";
inline constexpr char kIsDirectory[] = "is a directory";
inline constexpr char kIsLink[] = "is a symbolic link; links are not followed";
inline constexpr char kIsNoFile[] = "is not a regular file";
inline constexpr char kTooLarge[] = "is larger than 256 MB";
inline constexpr char kNoImage[] =
    "asset '{0}' is not a PNG or JPEG image of at most {1} x {1} pixels; a placeholder is used";
inline constexpr char kMarkupNothingOpen[] = "{/} ends a colour, and none has begun";
inline constexpr char kMarkupUnknown[] =
    "{{{}}} is neither a colour nor {{icon:name}} nor {{/}}: {}; a brace is {{{{";
inline constexpr char kMarkupTooDeep[] = "more than {} colours inside of each other";
inline constexpr char kMarkupNotClosed[] = "a '{' has no '}'; a brace is {{";
inline constexpr char kMarkupNoIcon[] = "no icon '{}' is defined{}; gfx.icon(name, path) defines one";
inline constexpr char kMarkupInText[] = "text '{}': {}";
inline constexpr char kTooManyIcons[] = "the game and its mods can define {} icons";
inline constexpr char kNoFontFile[] = "it is not a TrueType or OpenType font";
inline constexpr char kFontUnusable[] = "font '{}' cannot be used: {}; the default font is used";
inline constexpr char kFontKind[] = "a font is a file *.ttf, *.otf, *.fnt, or a *.png with a list of glyphs";
inline constexpr char kFontTooLarge[] = "it is larger than {} MB";
inline constexpr char kTooManyFonts[] =
    "there are too many fonts: all together can be {}, with a share for the game and each mod";
inline constexpr char kFontStopped[] =
    "font '{}' stopped answering; what it has drawn stays, the rest is missing";
inline constexpr char kBmfontLine[] = "line {}: {}";
inline constexpr char kBmfontBinary[] = "only the text format of BMFont can be read; export it as text";
inline constexpr char kBmfontXml[] = "only the text format of BMFont can be read, not XML; export it as text";
inline constexpr char kBmfontNumber[] = "'{}' needs a whole number, {}=…";
inline constexpr char kBmfontPage[] = "page {} has no file, or is not below {}";
inline constexpr char kBmfontNoGlyphs[] = "it has no line 'char'";
inline constexpr char kBmfontTooMany[] = "it has more than {} characters or pairs";
inline constexpr char kStripNoImage[] = "the image cannot be read";
inline constexpr char kStripGlyphs[] =
    "its picture has {} glyphs, separated by the colour of its first pixel, and the list has {}";
inline constexpr char kStripNoList[] =
    "gfx.font has not said which glyphs it has, as in gfx.font(path, { glyphs = \"ABC\" })";
inline constexpr char kSoundUnknown[] = "it is neither WAV nor OGG Vorbis";
inline constexpr char kSoundDamaged[] = "it is damaged";
inline constexpr char kSoundNoVorbis[] = "it is an OGG file without Vorbis";
inline constexpr char kSoundEncoding[] =
    "it is a WAV of encoding {} with {} bits; PCM of 8, 16, 24 and 32 bits and floats of 32 can be played";
inline constexpr char kSoundRate[] = "it has {} samples a second; {} to {} can be played";
inline constexpr char kSoundChannels[] = "it has {} channels; 1 to {} can be played";
inline constexpr char kSoundEmpty[] = "it has no samples";
inline constexpr char kSoundTooLong[] =
    "it is {:.0f} s long, and a sound can be {:.0f} s long; music can be longer";
inline constexpr char kMusicTooLong[] = "it is {:.0f} s long, and music can be {:.0f} s long";
inline constexpr char kDecodingDamaged[] = "it is damaged";
inline constexpr char kDecodingTooLarge[] = "it has more data than its header says";
inline constexpr char kDecodingSlow[] = "decoding it took too long";
inline constexpr char kDecodingCrashed[] = "it crashed the decoder";
inline constexpr char kNoDecoder[] = "there is no memory or process left to decode it";
inline constexpr char kNoDecoderProgram[] = "the program that decodes files does not run: '{}'";
inline constexpr char kAssetOfNoMod[] = "asset path '{}': no mod '{}' is loaded";
inline constexpr char kTooManyPresentationAssets[] =
    "presentation requests more than {} files outside assets/; move them into assets/";
inline constexpr char kNoSuchAsset[] = "asset '{}' does not exist{}";
inline constexpr char kMissingAsset[] = "{}asset '{}' does not exist{}; a placeholder is used";

inline constexpr char kNoAddressSpace[] =
    "the limit on address space (ulimit -v) leaves {} MB, and a game needs {} MB";

// console
inline constexpr char kConsoleUsed[] = "a line of the console that may change what happens";
inline constexpr char kConsoleNoMod[] = "no mod '{}' has loaded; :mods lists them";
inline constexpr char kConsoleNoCommand[] = "no command ':{}'; :help lists them";

inline constexpr const char* kTooManyFrames =
    "this mod has cut images into so many frames that no more fit; the rest is reserved for the game and "
    "other mods";
inline constexpr const char* kTooManySurfaces =
    "this mod has no room for {} x {} more pixels: all canvases and pixels together can have {} million, and "
    "there can be 2048 of them, with a share for the game and each mod; drop what you no longer use";
inline constexpr const char* kTooManyPasses =
    "canvases take turns too often: a canvas that is drawn into after it was shown needs another pass, and "
    "this "
    "mod can have {} of them in a frame; draw all that goes into a canvas before you show it";
inline constexpr const char* kTooManyContents =
    "canvases have too many contents: the screen shows a canvas as it is when gfx.image is called, so each "
    "content takes the room of one more canvas, and this mod can have {} of them in a frame; draw all that "
    "goes "
    "into a canvas before you show it";
inline constexpr const char* kNoRoomForContent =
    "the screen shows this canvas as it was, so drawing into it again takes the room of one more canvas of "
    "{} x "
    "{}, and this mod has none: all canvases and pixels together can have {} million pixels, with a share "
    "for "
    "the game and each mod; draw all that goes into a canvas before you show it, or make it smaller";
inline constexpr const char* kTooManyMeshes =
    "this mod has no room for a mesh of {} vertices: all meshes together can take {} MB, and there can be "
    "{} of "
    "them, with a share for the game and each mod; drop what you no longer use";
inline constexpr char kShaderTooLong[] = "{}: a shader can have at most {} KB";
inline constexpr char kShaderWithoutEffect[] =
    "a shader needs a function vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel)";
inline constexpr char kNoRoomForLights[] =
    "gfx.Lighting: the canvases and pixels of the game leave no room for light, so nothing is dark";
inline constexpr char kTooManyLights[] =
    "gfx.Light: a picture has at most 512 lights and 8192 casters of shadows; the others are left out";
inline constexpr char kUniformSyntax[] = "expected a uniform like this: uniform float strength = 1.0;";
inline constexpr char kUniformType[] =
    "a uniform cannot be a '{}': float, int, bool, vec2 to vec4, mat2 to mat4 and Image are possible";
inline constexpr char kUniformLength[] = "array '{}': expected its length as a number, like points[8]";
inline constexpr char kUniformNoDefault[] = "uniform '{}': a {} cannot have a default; send it";
inline constexpr char kTooManyElements[] =
    "all uniforms of a shader together can have at most {} numbers and vectors";
inline constexpr char kShaderImageSyntax[] = "expected an image like this: uniform Image mask;";
inline constexpr char kTooManyShaderImages[] =
    "a shader can have at most {} images besides the one that is drawn";
inline constexpr char kShaderImageUse[] =
    "image '{}' is read as in Texel({}, at); the functions of a shader cannot take it as an argument";
inline constexpr char kUniformBuiltin[] =
    "every shader has the uniform '{}' already; the engine sets it, so leave this line out";
inline constexpr char kUniformTwice[] = "uniform '{}' is declared twice";
inline constexpr char kTooManyUniforms[] = "a shader can have at most {} uniforms";
inline constexpr char kUniformDefault[] = "default of uniform '{}': expected {}";
inline constexpr char kTooManyShaders[] = "the game and each mod can have {} shaders";
inline constexpr char kUniformIsSet[] = "the engine sets uniform '{}'; leave this call out";
inline constexpr char kNoUniform[] = "shader '{}' has no uniform '{}'{}";
inline constexpr char kUniformSize[] = "shader '{}', uniform '{}': a {} needs {}, got {}";
inline constexpr char kUniformIsImage[] =
    "shader '{}', uniform '{}': it is an image: send a path, a canvas or pixels";
inline constexpr char kUniformIsNoImage[] = "shader '{}', uniform '{}': it is no image but a {}";
inline constexpr const char* kNoPictures = "this run saves nothing";
inline constexpr const char* kPicturesTooOften =
    "this mod saves too often: {} pictures at once, then one in {} frames";
inline constexpr const char* kDrawsTooMuch = "{} draws more than its limit per frame, {}";
inline constexpr const char* kDrawnVertices = "{:.0f} vertices";
inline constexpr const char* kDrawnPixels = "{:.0f} times the pixels of the screen";
inline constexpr const char* kDrawnSizes =
    "texts of {} sizes, in whole pixels, or with as many outlines and fonts";

}  // namespace perigee::engine_errors
