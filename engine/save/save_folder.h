// SaveFolder: player data in files, with one folder per game and a subfolder per mod.
//
//   <root>/<game id>/<mod id>/best.save       the newest version
//                             best.save.old   the one before
//                             best.save.part  what is being written; never read
//                             worlds/         the same for the worlds that a game saves
//
// A file is a head and the bytes: "perigee save 1\n", the XXH3-64 of the bytes as 16 hexadecimal digits,
// "\n".
//
// Invariant: whenever the program or the machine stops, the newest version or the previous one is completely
// readable. A file that is damaged, too long, not a regular file, or from another program is never returned;
// a damaged version never replaces an intact one. Nothing is created before the first write. The files are
// not protected against changes: the checksum detects accidents only, and scripts must treat the data as
// untrusted player input.
#pragma once

#include "engine/save/player_data.h"

#include <filesystem>

namespace perigee {

class SaveFolder final : public PlayerData {
public:
    explicit SaveFolder(std::filesystem::path root) : root_(std::move(root)) {}

    /// Errors of all four are for scripts: they say what and why, and contain no path of the machine.
    Result<std::vector<File>> list(const std::string& place) override;
    Result<std::optional<Content>> read(const std::string& place, const std::string& name,
                                        Version version) override;
    Result<void> write(const std::string& place, const std::string& name, std::string_view bytes) override;
    Result<void> remove(const std::string& place, const std::string& name) override;

private:
    std::filesystem::path file_of(const std::string& place, const std::string& name) const;

    std::filesystem::path root_;
};

/// The folder for player data: $XDG_DATA_HOME/perigee, else ~/.local/share/perigee. Empty if the home folder
/// is unknown.
std::filesystem::path player_data_folder();

}  // namespace perigee
