// The files of a mod in an editor: they are saved between two loads.
//
//     EditedFiles files;
//     files["main.lua"] = "print(1)";
//     config.files = &files;
//     …
//     files["main.lua"] = "print(2)";
//     game.runtime->reload("game");
#pragma once

#include "scripting/base/file_source.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace perigee {

class EditedFiles final : public FileSource {
public:
    std::string& operator[](const std::string& path) { return texts_[path]; }

    Result<std::string> read(std::string_view path) const override {
        const auto found = texts_.find(path);
        if (found == texts_.end()) return Error{"does not exist"};
        return found->second;
    }
    bool has(std::string_view path) const override { return texts_.contains(path); }

private:
    std::map<std::string, std::string, std::less<>> texts_;  ///< by path
};

}  // namespace perigee
