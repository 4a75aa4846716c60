// The embedded runtime is the folder scripts/runtime, byte for byte and in a fixed order.
#include "scripting/sandbox/internal/embedded_runtime.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace perigee {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("every file of the runtime is embedded unchanged") {
    const std::filesystem::path root = std::filesystem::path(PERIGEE_SOURCE_DIR) / "scripts/runtime";
    std::size_t files_on_disk = 0;
    if (std::filesystem::exists(root)) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
            files_on_disk += entry.path().extension() == ".lua";
        }
    }
    CHECK(embedded_runtime().size() == files_on_disk);
    for (const EmbeddedFile& file : embedded_runtime()) {
        CAPTURE(file.name);
        CHECK(file.text == bytes_of(root / file.name));
    }
}

TEST_CASE("names of runtime files are unique in all folders") {
    std::set<std::string_view> names;
    for (const EmbeddedFile& file : embedded_runtime()) {
        CAPTURE(file.name);
        CHECK(names.insert(file.name.substr(file.name.rfind('/') + 1)).second);
    }
}

TEST_CASE("embedded files are sorted by name") {
    CHECK(std::ranges::is_sorted(embedded_runtime(), {}, &EmbeddedFile::name));
}

}  // namespace
}  // namespace perigee
