// The functions of save.*; Lua has checked the names.
#include "engine/modules/save_module.h"

#include "engine/base/error_codes.h"
#include "engine/modules/internal/module_text.h"
#include "engine/modules/world_saves.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

SaveContext& save(void* context) noexcept { return *static_cast<SaveContext*>(context); }

void forget_content(SaveContext& self, SaveContext::Known& file) {
    if (file.content) self.cached_bytes -= file.content->bytes.size();
    file.content.reset();
}

// Contents that do not fit are read again.
void remember(SaveContext& self, SaveContext::Known& file, PlayerData::Content content) {
    forget_content(self, file);
    if (self.cached_bytes + content.bytes.size() > self.max_bytes) return;
    self.cached_bytes += content.bytes.size();
    file.content = std::move(content);
}

// Of the mod's tables, or of the worlds. Expects: for worlds, is_game.
SaveContext& files_of(void* context, bool are_worlds) noexcept {
    SaveContext& self = save(context);
    return are_worlds ? self.worlds->files() : self;
}

bool is_game(void* context) noexcept { return save(context).worlds != nullptr; }

/// How many files there are, -1 with error() set.
double list(void* context, bool are_worlds) noexcept {
    SaveContext& files = files_of(context, are_worlds);
    if (files.list_files()) return static_cast<double>(files.files.size());
    save(context).error = files.error;
    return -1.0;
}

/// Of the files in order. Expects: index < list().
const char* name(void* context, bool are_worlds, double index) noexcept {
    const SaveContext& files = files_of(context, are_worlds);
    return std::next(files.files.begin(), static_cast<std::ptrdiff_t>(index))->first.c_str();
}

/// 0: it does not exist; 1: content() is its contents; 2: its previous contents; -1 with error() set.
double read(void* context, const char* name, double length, bool previous) noexcept {
    SaveContext& self = save(context);
    if (!self.list_files()) return -1;
    const auto found = self.files.find(internal::text_of(name, length));
    if (found == self.files.end()) return 0;
    if (!previous && found->second.content) {
        self.content = *found->second.content;
        return self.content.is_previous ? 2 : 1;
    }
    const auto version = previous ? PlayerData::Version::previous : PlayerData::Version::newest_intact;
    Result<std::optional<PlayerData::Content>> read = self.data.read(self.place, found->first, version);
    if (!read) {
        self.error = read.error().message;
        return -1;
    }
    if (!read.value()) return 0;
    self.content = std::move(*read.value());
    if (!previous) remember(self, found->second, self.content);
    return self.content.is_previous ? 2 : 1;
}

const char* content(void* context) noexcept { return save(context).content.bytes.data(); }
double content_length(void* context) noexcept {
    return static_cast<double>(save(context).content.bytes.size());
}
void forget(void* context) noexcept { save(context).content = {}; }

bool write(void* context, const char* name, double name_length, const char* bytes, double length) noexcept {
    SaveContext& self = save(context);
    const std::string_view content = internal::text_of(bytes, length);
    if (!self.list_files() || !self.has_room(internal::text_of(name, name_length), content.size()) ||
        !self.may_work())
        return false;
    const std::string own(internal::text_of(name, name_length));
    if (Result<void> written = self.data.write(self.place, own, content); !written)
        return self.fail(written.error().message);
    SaveContext::Known& file = self.files[own];
    file.bytes = content.size();
    remember(self, file, {std::string(content), false});
    return true;
}

/// 1: removed; 0: it did not exist; -1 with error() set.
double remove(void* context, bool are_worlds, const char* name, double length) noexcept {
    SaveContext& self = save(context);
    SaveContext& files = files_of(context, are_worlds);
    if (!files.list_files()) {
        self.error = files.error;
        return -1;
    }
    const auto found = files.files.find(internal::text_of(name, length));
    if (found == files.files.end()) return 0;
    if (!self.may_work()) return -1;
    if (Result<void> removed = files.data.remove(files.place, found->first); !removed) {
        self.error = removed.error().message;
        return -1;
    }
    forget_content(files, found->second);
    files.files.erase(found);
    return 1;
}

// ---- worlds -----------------------------------------------------------------------------------------------

/// False with error() set.
bool ask_world(void* context, const char* name, double length, bool is_load) noexcept {
    SaveContext& self = save(context);
    if (!self.may_work()) return false;
    self.worlds->ask({is_load, std::string(internal::text_of(name, length))});
    return true;
}

/// Takes the oldest result: 1 done, 2 done with the previous version, 3 not done, with error() set; 0 none.
double take_result(void* context) noexcept {
    SaveContext& self = save(context);
    if (!self.worlds->take_result()) return 0;
    const WorldResult& result = self.worlds->result();
    self.error = result.error;
    return !result.error.empty() ? 3 : result.is_previous ? 2 : 1;
}

const char* result_name(void* context) noexcept {
    return save(context).worlds->result().request.name.c_str();
}
bool result_is_load(void* context) noexcept { return save(context).worlds->result().request.is_load; }

const char* save_error(void* context) noexcept { return save(context).error.c_str(); }

bool is_name(void*, const char* name, double length) noexcept {
    return is_save_name(internal::text_of(name, length));
}

}  // namespace

bool SaveContext::fail(std::string message) {
    error = std::move(message);
    return false;
}

bool SaveContext::list_files() {
    if (is_listed) return true;
    const Result<std::vector<PlayerData::File>> found = data.list(place);
    if (!found) return fail(found.error().message);
    for (const PlayerData::File& file : found.value()) files[file.name].bytes = file.bytes;
    is_listed = true;
    return true;
}

bool SaveContext::has_room(std::string_view name, std::uint64_t bytes) {
    const std::size_t max_file_bytes = max_save_bytes(place);
    if (bytes > max_file_bytes) return fail(fmt::format(e::kSaveTooLarge, bytes, max_file_bytes));
    std::uint64_t all = bytes;
    for (const auto& [other, file] : files)
        if (other != name) all += file.bytes;
    if (all > max_bytes) {
        if (is_world_place(place)) return fail(fmt::format(e::kSaveWorldQuota, all, max_bytes));
        return fail(fmt::format(e::kSaveQuota, all, max_bytes));
    }
    if (files.size() >= kMaxSaveFiles && !files.contains(name))
        return fail(fmt::format(e::kSaveTooMany, files.size()));
    return true;
}

// The disk is slow: allows a burst of writes, then one at intervals.
bool SaveContext::may_work() {
    const std::uint64_t busy = std::max(busy_until, steps);
    if (busy - steps > (kSaveWriteBurst - 1) * kStepsPerSaveWrite)
        return fail(fmt::format(e::kSaveTooOften, kSaveWriteBurst, kStepsPerSaveWrite));
    busy_until = busy + kStepsPerSaveWrite;
    return true;
}

NativeModule save_module(SaveContext& context) {
    return {"save",
            &context,
            {
                native_function<&list>("list"),
                native_function<&name>("name"),
                native_function<&read>("read"),
                native_function<&content>("content"),
                native_function<&content_length>("content_length"),
                native_function<&forget>("forget"),
                native_function<&write>("write"),
                native_function<&remove>("remove"),
                native_function<&save_error>("error"),
                native_function<&is_name>("is_name"),
                native_function<&is_game>("is_game"),
                native_function<&ask_world>("ask_world"),
                native_function<&take_result>("take_result"),
                native_function<&result_name>("result_name"),
                native_function<&result_is_load>("result_is_load"),
            },
            {
                {"max_bytes", kMaxSaveBytes},
                {"max_name_bytes", kMaxSaveNameBytes},
            }};
}

}  // namespace perigee
