// SaveFolder: player data in files, one folder per game and in it one per mod.
//
//   <root>/<game id>/<mod id>/best.save       the newest version
//                             best.save.old   the one before
//                             best.save.part  what is being written; never read
//
// A file is a head and the bytes: "perigee save 1\n", the XXH3-64 of the bytes as 16 hexadecimal digits,
// "\n".
//
// Invariant: whenever the program or the machine stops, the newest version or the one before can be read
// whole. A file that is damaged, too long, no regular file, or another program's is never handed on; a
// damaged version never takes the place of a sound one. Nothing is made before the first write. Nobody is
// kept from changing the files: a checksum finds accidents, and what a script reads is data of a player who
// may have made it up.
#pragma once

#include "engine/player_data.h"

#include <filesystem>

namespace perigee {

class SaveFolder final : public PlayerData {
public:
    explicit SaveFolder(std::filesystem::path root) : root_(std::move(root)) {}

    /// Errors of all four are for scripts: they say what and why, and name no folder of the machine.
    Result<std::vector<File>> list(const std::string& place) override;
    Result<std::optional<Content>> read(const std::string& place, const std::string& name,
                                        Version version) override;
    Result<void> write(const std::string& place, const std::string& name, std::string_view bytes) override;
    Result<void> remove(const std::string& place, const std::string& name) override;

private:
    std::filesystem::path file_of(const std::string& place, const std::string& name) const;

    std::filesystem::path root_;
};

/// Where a player's data belongs: $XDG_DATA_HOME/perigee, else ~/.local/share/perigee. Empty when the system
/// names no home.
std::filesystem::path player_data_folder();

}  // namespace perigee
