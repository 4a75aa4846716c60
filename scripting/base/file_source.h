// The source of one mod's files. Scripting asks by relative path and does not know the implementation (a
// folder, an archive, a test).
//
// Invariant: paths are relative, with '/', without ".." and without an empty part; a source refuses
// everything else and never returns a file outside its mod.
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class FileSource {
public:
    virtual ~FileSource() = default;
    FileSource() = default;
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;

    /// The bytes of a file. Errors: no such file, a directory, a path that leaves the mod; the message says
    /// which, as the end of a sentence that begins with the path: "does not exist".
    virtual Result<std::string> read(std::string_view path) const = 0;
    virtual bool has(std::string_view path) const = 0;
};

/// True for "main.lua" and "lib/util.lua"; false for "", "/x", "../x", "a//b", "a/../b", "c:x", "a\\b".
bool is_inner_path(std::string_view path) noexcept;

/// A folder on disk. Symbolic links that leave the folder are refused.
class DirectorySource final : public FileSource {
public:
    explicit DirectorySource(std::filesystem::path root);
    Result<std::string> read(std::string_view path) const override;
    bool has(std::string_view path) const override;

private:
    std::filesystem::path root_;
};

/// Files in memory, for tests and for programs with built-in scripts.
class MemorySource final : public FileSource {
public:
    using Files = std::map<std::string, std::string, std::less<>>;  ///< by path
    explicit MemorySource(Files files);
    Result<std::string> read(std::string_view path) const override;
    bool has(std::string_view path) const override;

private:
    Files files_;
};

}  // namespace perigee
