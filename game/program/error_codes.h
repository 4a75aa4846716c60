// Every message text of the perigee program, each provoked by a test in tests/game.
#pragma once

namespace perigee::game_errors {

// Requests of the command line that cannot be met.
inline constexpr char kNoGame[] = "'{}': no such folder or archive";
inline constexpr char kNoMainFile[] = "'{}' is not a game: it has no main.lua";
inline constexpr char kMainIsNoFile[] = "'{}' is not a game: its main.lua {}";
inline constexpr char kCannotLookAt[] = "'{}' {}";
inline constexpr char kNoDemo[] = "the demo game was not found; name a game: perigee run GAME_DIR";
inline constexpr char kNoScreenshot[] = "screenshot: cannot write '{}': {}";
inline constexpr char kNoFolder[] = "no such folder";
inline constexpr char kNoPicture[] = "--svg: cannot write '{}': {}";
inline constexpr char kNoSaveFolder[] = "--save-dir: '{}' is not a folder";
inline constexpr char kDidNotLoad[] = "the game did not load; see the errors above";
inline constexpr char kNewExists[] = "'{}' already exists and is left as it is: name another folder";
inline constexpr char kReplSteps[] = ":step takes a number of steps, at most {}\n";
inline constexpr char kReplQuit[] = "the game has quit (app.quit); no more steps run\n";
inline constexpr char kCannotWrite[] = "cannot write '{}': {}";
inline constexpr char kNoMemory[] = "the machine has no memory left, or a limit (ulimit -v) is too small";
inline constexpr char kNoThread[] =
    "the system does not allow more threads: --workers 1 needs fewer, and ulimit -u shows the limit";
inline constexpr char kMachine[] = "the system refused a request: {}";
inline constexpr char kCannotPrint[] = "cannot write to standard output: {}";
inline constexpr char kNothingToPack[] = "pack: '{}': no such folder";
inline constexpr char kCannotPack[] = "pack: cannot write '{}': {}";
inline constexpr char kCannotRead[] = "pack: '{}' {}";
inline constexpr char kStubsNowhere[] = "stubs: '{}' is an archive; --to DIR says where to write";
inline constexpr char kSuspendedAtEnd[] = "system '{}' is suspended: {}";
inline constexpr char kModNotLoaded[] = "mod '{}' did not load; the log says why";
inline constexpr char kEndedBySignal[] = "ended by signal {}";
inline constexpr char kCannotReadLog[] = "diff: '{}' {}";
inline constexpr char kInLog[] = "'{}': {}";

// Errors of tests.
inline constexpr char kFailedInStep[] = "in step {}: {}";
inline constexpr char kNoExpand[] =
    "game:resize: the screen of this game never changes; \"fit\": \"expand\" in its mod.json lets it";
inline constexpr char kNoControl[] =
    "'{}' is neither a control nor an action of the game; controls are \"space\", \"mouse_left\", \"pad_a\"";
inline constexpr char kGameIsGone[] = "this game belongs to another test; each test starts its own";
inline constexpr char kNoTests[] = "'{}' has no tests; tests are in files tests/*.lua";
inline constexpr char kNoTestWanted[] = "'{}' has no test whose name contains '{}'";
inline constexpr char kGoldenName[] = "'{}': the name of a golden value has letters, digits, '_' and '-'";
inline constexpr char kNoGolden[] = "there is no tests/golden/{} to compare with; --update writes it";
inline constexpr char kGoldenInArchive[] =
    "tests/golden/{} lies in an archive, which --update does not change";
inline constexpr char kGoldenDiffers[] =
    "golden value '{}': expected {}, got {}; --update stores the new one";
inline constexpr char kGoldenPictureDiffers[] =
    "golden picture '{}' differs; the new one is {}, and --update stores it";

// Notices.
inline constexpr char kNoDisplay[] = "no display here: running headless";
inline constexpr char kDefaultFrames[] = "running {} frames; --frames says how many";
inline constexpr char kFilesNotConfined[] =
    "this system has no landlock, so --confine cannot keep the game from your files";
inline constexpr char kSystemNotConfined[] =
    "this system has no seccomp, so --confine cannot keep the game from the network and other programs";
inline constexpr char kSeed[] = "seed {}";
inline constexpr char kBegunNear[] =
    "began after step {} with the world that the recording stores; Lua variables have their first values";
inline constexpr char kNothingNear[] = "the recording stores no world before step {}: played from the start";
inline constexpr char kScreenshotSaved[] = "saved {}";
inline constexpr char kWorldSaved[] = "saved the world to {}; F9 loads it";
inline constexpr char kWorldLoaded[] = "loaded the world from {}";
inline constexpr char kErrorsCopied[] = "the errors on the card were copied";

inline constexpr char kOldLuaJit[] =
    "{} is from before 2024: scripts can crash it, and their results may differ between runs";
inline constexpr char kStrangersRefused[] =
    "{} is from before 2024, and scripts can crash it: {} may come from strangers; --accept-risk runs anyway";
inline constexpr char kMoreStrangers[] = " and {} more";
inline constexpr char kAllInterpreted[] =
    "--jit off: everything was interpreted, so this run cannot tell what LuaJIT does not compile";

inline constexpr char kNoModsToBisect[] = "'{}' has no mods";
inline constexpr char kTestFails[] = "the test '{} {}' fails";
inline constexpr char kRunsDiffer[] = "two runs of '{}' differ after step {}";
inline constexpr char kDivergesFromRecording[] =
    "{}; two runs agree with each other, so a file has changed since the recording";
inline constexpr char kNoTestFails[] = "no test fails\n";
inline constexpr char kRunsAgree[] = "the runs agree\n";
inline constexpr char kFailsWithOwnMods[] = "{} with only '{}' and the mods that it needs\n";
inline constexpr char kFailsWithoutMods[] = "{} without mods, too\n";
inline constexpr char kFoundMod[] = "'{}': with it, {} (found in {})\n";
inline constexpr char kFoundModWithOthers[] =
    "'{}': with it and mods that load before it, {} (found in {})\n";
inline constexpr char kTested[] = "{} passed, {} failed\n";
inline constexpr char kIsMod[] =
    "this is a mod, which is checked with its game: perigee check GAME --mods {}";
inline constexpr char kCheckedWithGame[] = "this is a mod, and was checked with its game, {}";
inline constexpr char kChecked[] = "{}, {}, {}\n";  // counted: "2 errors"

// Wrong use of the command line: exit status 2.
inline constexpr char kPictureOfNothing[] = "--screenshot needs a picture, and --renderer none draws none";
inline constexpr char kMegabytes[] = "expected megabytes from 0 to {}, got '{}'";
inline constexpr char kWindowSize[] = "expected a size such as 1366x768, at most {} each, got '{}'";
inline constexpr char kWorkers[] = "expected a number of threads from 1 to {}, got '{}'";
inline constexpr char kWholeNumber[] = "expected a whole number from 0 to {}, got '{}'";
inline constexpr char kEmptyName[] = "expected {}, got an empty name";
inline constexpr char kCompilerWord[] = "expected on or off, got '{}'";
inline constexpr char kSameFile[] = "two options write '{}'";
inline constexpr char kReplayWorld[] = "--replay begins with the game's own world: remove --load";
inline constexpr char kNoWorld[] = "--save: cannot write '{}': {}";
inline constexpr char kStoreNothing[] = "--store-worlds stores them in a recording: add --record";
inline constexpr char kNearNothing[] = "--near begins near a step: add --at";
inline constexpr char kNearIsPart[] = "--near leaves out steps, which --record and --hash-log need";
inline constexpr char kReplaySeed[] = "--replay has its own seed: remove --seed";

}  // namespace perigee::game_errors
