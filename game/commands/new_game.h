// perigee new: creates a folder with a runnable game or mod to start from.
//
// Invariant: existing files are never touched: the folder must be new or empty. It writes the template of
// scripts/templates with the name filled in.
#pragma once

#include <filesystem>

namespace CLI {
class App;
}

namespace perigee {

/// perigee new: a game or mod to start from.
struct NewOptions {
    std::filesystem::path folder;
    bool is_mod = false;
};

void add_new_options(CLI::App& command, NewOptions& options);

/// Writes the folder and prints what to do next. Returns the exit status: 0, or 1 with a message.
int new_game(const NewOptions& options);

}  // namespace perigee
