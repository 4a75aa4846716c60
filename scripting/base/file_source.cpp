// Paths are checked by their text first and by the file system's own answer second (symbolic links).
#include "scripting/base/file_source.h"

#include "ecs/base/error_codes.h"
#include "ecs/files/regular_file.h"
#include "scripting/base/error_codes.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace perigee {

bool is_inner_path(std::string_view path) noexcept {
    if (path.empty() || path.front() == '/' || path.back() == '/') return false;
    if (path.find_first_of("\\:") != std::string_view::npos) return false;
    if (path.find('\0') != std::string_view::npos) return false;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (part.empty() || part == "." || part == "..") return false;
        path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
    }
    return true;
}

DirectorySource::DirectorySource(std::filesystem::path root) : root_(std::move(root)) {
    std::error_code ignored;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(root_, ignored);
    if (!ignored) root_ = canonical;
}

Result<std::string> DirectorySource::read(std::string_view path) const {
    if (!is_inner_path(path)) return Error{std::string(messages::kPathLeavesMod)};
    std::error_code failed;
    const std::filesystem::path full = std::filesystem::weakly_canonical(root_ / path, failed);
    if (failed) return Error{errors::file_unreadable(failed.message())};
    const std::filesystem::path inner = full.lexically_relative(root_);
    if (inner.empty() || *inner.begin() == "..") return Error{std::string(messages::kPathLeavesMod)};
    return read_regular_file(full);
}

bool DirectorySource::has(std::string_view path) const {
    std::error_code failed;
    return is_inner_path(path) && std::filesystem::exists(root_ / path, failed);
}

MemorySource::MemorySource(Files files) : files_(std::move(files)) {}

Result<std::string> MemorySource::read(std::string_view path) const {
    if (!is_inner_path(path)) return Error{std::string(messages::kPathLeavesMod)};
    const auto found = files_.find(path);
    if (found == files_.end()) return Error{errors::file_missing(), ErrorKind::not_found};
    return found->second;
}

bool MemorySource::has(std::string_view path) const { return files_.find(path) != files_.end(); }

}  // namespace perigee
