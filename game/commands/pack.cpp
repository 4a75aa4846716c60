// Lists the files, and writes them with minizip, the archive writer of zlib (https://zlib.net).
#include "game/commands/pack.h"

#include "ecs/base/error_codes.h"
#include "ecs/files/output_file.h"
#include "engine/mods/mod_manifest.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/file_source.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

namespace perigee {

namespace fs = std::filesystem;
namespace e = game_errors;

namespace {

// Excluded in every folder: hidden files, and output of runs of the game.
bool is_left_out(const fs::path& path) {
    for (const fs::path& part : path) {
        if (part.string().starts_with('.') || part == "screenshots") return true;
    }
    const std::string extension = path.extension().string();
    return extension == ".zip" || extension == ".log";
}

// Reads it as the game itself would: a link that leaves the folder, or an unreadable file, is an error.
Result<std::string> bytes_of(const DirectorySource& files, const std::string& name) {
    Result<std::string> bytes = files.read(name);
    if (!bytes) return Error{fmt::format(e::kCannotRead, name, bytes.error().message)};
    return bytes;
}

struct CloseArchive {
    void operator()(void* archive) const noexcept { zipClose(archive, nullptr); }
};

Error cannot_write(const fs::path& file, const std::string& why) {
    return Error{fmt::format(e::kCannotPack, file.string(), why)};
}

// False: errno says why.
bool add_entry(zipFile archive, const std::string& name, const std::string& bytes) {
    constexpr unsigned long kUtf8Name = 1U << 11U;
    constexpr unsigned long kMadeOnUnix = 3U << 8U | 20U;  // as version 2.0
    zip_fileinfo info{};
    info.dosDate = 0x21U << 16U;  // 1980-01-01, the earliest date in zip
    info.external_fa = 0100644UL << 16U;
    const int is_large = bytes.size() >= 0xFFFF'FFFFU ? 1 : 0;
    return zipOpenNewFileInZip4_64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                                   Z_BEST_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY,
                                   nullptr, 0, kMadeOnUnix, kUtf8Name, is_large) == ZIP_OK &&
           zipWriteInFileInZip(archive, bytes.data(), static_cast<unsigned>(bytes.size())) == ZIP_OK &&
           zipCloseFileInZip(archive) == ZIP_OK;
}

Result<void> write_entries(const fs::path& folder, const std::vector<std::string>& names,
                           const fs::path& part, const fs::path& file) {
    errno = 0;
    std::unique_ptr<void, CloseArchive> archive{zipOpen64(part.c_str(), APPEND_STATUS_CREATE)};
    if (archive == nullptr) return cannot_write(file, std::strerror(errno));
    const DirectorySource files{folder};
    for (const std::string& name : names) {
        const Result<std::string> bytes = bytes_of(files, name);
        if (!bytes) return bytes.error();
        if (!add_entry(archive.get(), name, bytes.value())) return cannot_write(file, std::strerror(errno));
    }
    if (zipClose(archive.release(), nullptr) != ZIP_OK) return cannot_write(file, std::strerror(errno));
    return {};
}

Result<void> write_archive(const fs::path& folder, const std::vector<std::string>& names,
                           const fs::path& file) {
    Result<void> entries;
    const Result<void> replaced = write_through_part(file, [&](const fs::path& part) {
        entries = write_entries(folder, names, part, file);
        return entries;
    });
    if (!entries) return entries;  // a whole message
    return replaced ? replaced : cannot_write(file, replaced.error().message);
}

// "my_game-1.2.0.zip", from the manifest.
Result<std::string> archive_name(const fs::path& folder) {
    std::error_code failed;
    const std::string name = fs::weakly_canonical(folder, failed).filename().string();
    ModManifest manifest = default_manifest(name);
    if (fs::exists(folder / "mod.json", failed)) {
        const Result<std::string> text = bytes_of(DirectorySource{folder}, "mod.json");
        if (!text) return text.error();
        manifest = parse_manifest(text.value(), name).manifest;
    }
    return fmt::format("{}-{}.zip", manifest.id, manifest.version.text());
}

Result<fs::path> packed(const PackOptions& options) {
    const Result<std::vector<std::string>> names = files_to_pack(options.folder);
    if (!names) return names.error();
    fs::path file = options.archive;
    if (file.empty()) {
        Result<std::string> name = archive_name(options.folder);
        if (!name) return name.error();
        file = std::move(name).value();
    }
    if (Result<void> written = write_archive(options.folder, names.value(), file); !written)
        return written.error();
    return file;
}

}  // namespace

Result<std::vector<std::string>> files_to_pack(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) return Error{fmt::format(e::kNothingToPack, folder.string())};
    if (!fs::is_regular_file(folder / "main.lua", failed))
        return Error{fmt::format(e::kNoMainFile, folder.string())};
    std::vector<std::string> names;
    std::error_code unknown;
    for (fs::recursive_directory_iterator entry{folder, failed};
         !failed && entry != fs::recursive_directory_iterator{}; entry.increment(failed)) {
        const fs::path path = entry->path().lexically_relative(folder);
        if (entry->is_regular_file(unknown) && !is_left_out(path)) names.push_back(path.generic_string());
    }
    if (failed)
        return Error{fmt::format(e::kCannotRead, folder.string(), errors::file_unreadable(failed.message()))};
    std::ranges::sort(names);
    return names;
}

int pack(const PackOptions& options) {
    const Result<fs::path> file = packed(options);
    if (!file) return give_up(file.error());
    print_out(fmt::format("packed {}\n", file.value().string()));
    return 0;
}

void add_pack_options(CLI::App& command, PackOptions& options) {
    command.add_option("FOLDER", options.folder, "A game or mod")->required();
    command.add_option("ARCHIVE.zip", options.archive,
                       "The file to write; ID-VERSION.zip in this folder by default");
    command.footer(
        "\nThe archive runs like the folder: perigee run ARCHIVE.zip. Hidden files, logs, archives and "
        "screenshots/ are left out. The same files give the same archive.");
}

}  // namespace perigee
