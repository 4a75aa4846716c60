// AssetFileSource: reads the scripts of one mod through the asset store, so that folders and archives behave
// the same.
#pragma once

#include "engine/assets/assets.h"
#include "scripting/base/file_source.h"

namespace perigee {

class AssetFileSource final : public FileSource {
public:
    /// Lifetime: the store must outlive the source. Expects: a mount of the store.
    AssetFileSource(const AssetStore& assets, MountId mount) noexcept : assets_(assets), mount_(mount) {}

    Result<std::string> read(std::string_view path) const override {
        return assets_.read_or_why(mount_, path);
    }
    bool has(std::string_view path) const override { return assets_.has(mount_, path); }

private:
    const AssetStore& assets_;
    MountId mount_;
};

}  // namespace perigee
