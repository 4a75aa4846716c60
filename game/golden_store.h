// Values that tests compare with: files in tests/golden/ of a game or mod.
//
// Invariant: nothing is written unless the user asked for it, but what a picture looks like instead, beside
// the one that it should look like. A name is letters, digits, '_' and '-'.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <string_view>

namespace perigee {

class FileSource;

class GoldenStore {
public:
    GoldenStore(std::filesystem::path folder, bool updates) : folder_(std::move(folder)), updates_(updates) {}
    /// The files of a mod in an archive, where nothing is written; pictures that differ go into `folder`.
    /// Lifetime: `archive` outlives the store.
    GoldenStore(std::filesystem::path folder, bool updates, const FileSource& archive)
        : folder_(std::move(folder)), updates_(updates), archive_(&archive) {}

    /// Compares with NAME.txt, or NAME.png byte for byte; writes the file instead when updating.
    /// Errors: another value; no file; a bad name; updating an archive. Of pictures NAME.got.png is what
    /// came.
    Result<void> compare(std::string_view name, std::string_view value, bool is_picture) const;

private:
    std::filesystem::path folder_;
    bool updates_;
    const FileSource* archive_ = nullptr;
};

}  // namespace perigee
