// Texts end with a line break in their files, so that other programs treat them as texts.
#include "game/testing/golden_store.h"

#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "scripting/base/file_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

namespace perigee {

namespace e = game_errors;

namespace {

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-';
    });
}

}  // namespace

Result<void> GoldenStore::compare(std::string_view name, std::string_view value, bool is_picture) const {
    if (!is_name(name)) return Error{fmt::format(e::kGoldenName, name)};
    const std::string file = fmt::format("{}.{}", name, is_picture ? "png" : "txt");
    const std::string text = is_picture ? std::string(value) : std::string(value) + "\n";
    const std::filesystem::path got = folder_ / fmt::format("{}.got.png", name);
    std::error_code ignored;
    if (updates_ && archive_ != nullptr) return Error{fmt::format(e::kGoldenInArchive, file)};
    if (updates_) {
        std::filesystem::remove(got, ignored);
        return write_file(folder_ / file, text);
    }
    const Result<std::string> kept =
        archive_ != nullptr ? archive_->read("tests/golden/" + file) : DirectorySource{folder_}.read(file);
    if (!kept) return Error{fmt::format(e::kNoGolden, file)};
    if (kept.value() == text) {
        std::filesystem::remove(got, ignored);
        return {};
    }
    if (!is_picture) {
        std::string expected = kept.value();
        if (expected.ends_with('\n')) expected.pop_back();
        return Error{fmt::format(e::kGoldenDiffers, name, expected, value)};
    }
    if (const Result<void> written = write_file(got, text); !written) return written;
    return Error{fmt::format(e::kGoldenPictureDiffers, file, got.string())};
}

}  // namespace perigee
