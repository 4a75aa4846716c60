// Golden values for tests: files in tests/golden/ of a game or mod.
//
// Invariant: nothing is written unless the user requested it, except that a differing picture is saved next
// to the expected one. A name consists of letters, digits, '_' and '-'.
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <string_view>

namespace perigee {

class FileSource;

class GoldenStore {
public:
    GoldenStore(std::filesystem::path folder, bool updates) : folder_(std::move(folder)), updates_(updates) {}
    /// For a mod in an archive, where nothing is written; differing pictures go into `folder`. Lifetime:
    /// `archive` must outlive the store.
    GoldenStore(std::filesystem::path folder, bool updates, const FileSource& archive)
        : folder_(std::move(folder)), updates_(updates), archive_(&archive) {}

    /// Compares with NAME.txt, or NAME.png byte for byte; writes the file instead when updating. Errors: a
    /// different value; no file; a bad name; updating an archive. For pictures, NAME.got.png is the actual
    /// one.
    Result<void> compare(std::string_view name, std::string_view value, bool is_picture) const;

private:
    std::filesystem::path folder_;
    bool updates_;
    const FileSource* archive_ = nullptr;
};

}  // namespace perigee
