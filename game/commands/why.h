// perigee why: plays a recording and says which systems wrote a value.
//
// Invariant: the answer goes to standard output. Not here: watching values and the answer
// (engine/session/provenance.h, provenance_answer.h).
#pragma once

#include "engine/session/provenance_answer.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

struct WhyOptions {
    std::filesystem::path replay_file;
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    std::vector<std::string> left_out_mods;
    ProvenanceQuestion question;
    std::optional<std::uint64_t> until;  ///< the step at which it is asked; default: the end
    bool accepts_truncated = false;      ///< see RunOptions
    bool accepts_risk = false;           ///< see RunOptions
};

void add_why_options(CLI::App& command, WhyOptions& options);

/// What is wrong with the options; empty for nothing.
std::string settle_why(WhyOptions& options);

/// Returns the exit status.
int why(const WhyOptions& options);

}  // namespace perigee
