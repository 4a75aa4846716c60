// Every message text of the perigee program, each provoked by a test in tests/game.
#pragma once

namespace perigee::game_errors {

// Requests of the command line that cannot be met.
inline constexpr char kNoGame[] = "'{}': no such folder or archive";
inline constexpr char kNoMainFile[] = "'{}' is no game: it has no main.lua";
inline constexpr char kMainIsNoFile[] = "'{}' is no game: its main.lua {}";
inline constexpr char kCannotLookAt[] = "'{}' {}";
inline constexpr char kNoDemo[] = "the demo game was not found; name a game: perigee run GAME_DIR";
inline constexpr char kNoScreenshotFolder[] = "screenshot: cannot write '{}': no such folder";
inline constexpr char kNoSaveFolder[] = "--save-dir: '{}' is no folder";
inline constexpr char kDidNotLoad[] = "the game did not load; its errors stand above";
inline constexpr char kNewExists[] =
    "'{}' is there already, and nothing in it is touched: name another folder";
inline constexpr char kReplSteps[] = ":step takes a number of steps, at most {}\n";
inline constexpr char kReplQuit[] = "the game has ended its run (app.quit), and no further step runs\n";
inline constexpr char kCannotWrite[] = "cannot write '{}': {}";
inline constexpr char kNoMemory[] = "the machine has no memory left, or a limit (ulimit -v) is too small";
inline constexpr char kNoThread[] =
    "the machine lets this program start no more threads: --workers 1 needs fewer, and ulimit -u says how "
    "many "
    "there may be";
inline constexpr char kMachine[] = "the machine refused something: {}";
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
inline constexpr char kNoControl[] =
    "'{}' is no control and no action of the game; controls are \"space\", \"mouse_left\", \"pad_a\"";
inline constexpr char kGameIsGone[] = "this game belongs to another test; each test starts its own";
inline constexpr char kNoTests[] = "'{}' has no tests to run: they are files tests/*.lua";
inline constexpr char kGoldenName[] = "'{}': a golden value has a name of letters, digits, '_' and '-'";
inline constexpr char kNoGolden[] = "there is no tests/golden/{} to compare with; --update writes it";
inline constexpr char kGoldenInArchive[] =
    "tests/golden/{} lies in an archive, which --update does not change";
inline constexpr char kGoldenDiffers[] = "golden value '{}': expected {}, got {}; --update keeps the new one";
inline constexpr char kGoldenPictureDiffers[] =
    "golden picture '{}' is another one; what came is {}, and --update keeps it";

// Notices.
inline constexpr char kNoDisplay[] = "no display here: running headless";
inline constexpr char kDefaultFrames[] = "running {} frames; --frames says how many";
inline constexpr char kFilesNotHeld[] =
    "this system has no landlock, so --confine does not keep the game from your files";
inline constexpr char kSystemNotHeld[] =
    "this system has no seccomp, so --confine does not keep the game from the network and from other "
    "programs";
inline constexpr char kSeed[] = "seed {}";
inline constexpr char kScreenshotSaved[] = "saved {}";
inline constexpr char kErrorsCopied[] = "the errors on the card were copied";

inline constexpr char kOldLuaJit[] =
    "{} is from before 2024: scripts can crash it, and may compute something else in each run";
inline constexpr char kStrangersRefused[] =
    "{} is from before 2024, and scripts can crash it: {} may come from strangers; --accept-risk runs all "
    "the same";
inline constexpr char kMoreStrangers[] = " and {} more";
inline constexpr char kAllInterpreted[] =
    "--jit off: everything was interpreted, so nothing is known of what LuaJIT cannot compile";

inline constexpr char kTested[] = "{} passed, {} failed\n";
inline constexpr char kIsMod[] =
    "this is a mod, which is checked with its game: perigee check GAME --mods {}";
inline constexpr char kCheckedWithGame[] = "this is a mod, and was checked with its game, {}";
inline constexpr char kChecked[] = "{}, {}, {}\n";  // counted: "2 errors"

// Wrong use of the command line: exit status 2.
inline constexpr char kPictureOfNothing[] = "--screenshot needs a picture, and --renderer none draws none";
inline constexpr char kWorkers[] = "expected a number of threads from 1 to {}, got '{}'";
inline constexpr char kCompilerWord[] = "expected on or off, got '{}'";
inline constexpr char kSameFile[] = "two options write '{}'";
inline constexpr char kReplaySeed[] = "--replay brings its own seed: leave --seed away";

}  // namespace perigee::game_errors
