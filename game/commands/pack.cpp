// Lists the files, and writes them with libzip (https://libzip.org/documentation/).
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
#include <zip.h>

#include <algorithm>
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

struct Discard {
    void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};

Error cannot_write(const fs::path& file, const char* why) {
    return Error{fmt::format(e::kCannotPack, file.string(), why)};
}

Result<void> write_archive(const fs::path& folder, const std::vector<std::string>& names,
                           const fs::path& file) {
    // libzip renames a finished file as well.
    if (const Result<void> replaceable = expect_replaceable(file); !replaceable)
        return cannot_write(file, replaceable.error().message.c_str());
    int code = 0;
    std::unique_ptr<zip_t, Discard> archive{zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code)};
    if (archive == nullptr) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        Error result = cannot_write(file, zip_error_strerror(&error));
        zip_error_fini(&error);
        return result;
    }
    const DirectorySource files{folder};
    std::vector<std::string> contents(names.size());  // libzip reads them when it closes
    for (std::size_t i = 0; i < names.size(); ++i) {
        Result<std::string> bytes = bytes_of(files, names[i]);
        if (!bytes) return bytes.error();
        contents[i] = std::move(bytes).value();
        zip_source_t* const source =
            zip_source_buffer(archive.get(), contents[i].data(), contents[i].size(), 0);
        const zip_int64_t entry =
            source == nullptr ? -1 : zip_file_add(archive.get(), names[i].c_str(), source, ZIP_FL_ENC_UTF_8);
        if (entry < 0) {
            if (source != nullptr) zip_source_free(source);
            return cannot_write(file, zip_strerror(archive.get()));
        }
        const auto index = static_cast<zip_uint64_t>(entry);
        zip_file_set_dostime(archive.get(), index, 0, 0x21, 0);  // 1980-01-01, the earliest date in zip
        zip_file_set_external_attributes(archive.get(), index, 0, ZIP_OPSYS_UNIX, 0100644u << 16);
    }
    if (zip_close(archive.get()) != 0) return cannot_write(file, zip_strerror(archive.get()));
    static_cast<void>(archive.release());
    return {};
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
