// The functions of save.*; Lua has checked the names.
#include "engine/modules/save_module.h"

#include "engine/base/error_codes.h"
#include "engine/modules/module_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

SaveContext& save(void* context) noexcept { return *static_cast<SaveContext*>(context); }

bool fail(SaveContext& self, std::string message) {
    self.error = std::move(message);
    return false;
}

// The existing files, read once.
bool look(SaveContext& self) {
    if (self.is_listed) return true;
    const Result<std::vector<PlayerData::File>> files = self.data.list(self.place);
    if (!files) return fail(self, files.error().message);
    for (const PlayerData::File& file : files.value()) self.files[file.name].bytes = file.bytes;
    self.is_listed = true;
    return true;
}

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

// The disk is slow: allows a burst of writes, then one at intervals.
bool may_work(SaveContext& self) {
    const std::uint64_t busy = std::max(self.busy_until, self.tick);
    if (busy - self.tick > (kSaveWriteBurst - 1) * kStepsPerSaveWrite)
        return fail(self, fmt::format(e::kSaveTooOften, kSaveWriteBurst, kStepsPerSaveWrite));
    self.busy_until = busy + kStepsPerSaveWrite;
    return true;
}

bool has_room(SaveContext& self, std::string_view name, std::uint64_t bytes) {
    if (bytes > kMaxSaveBytes) return fail(self, fmt::format(e::kSaveTooLarge, bytes, kMaxSaveBytes));
    std::uint64_t all = bytes;
    for (const auto& [other, file] : self.files)
        if (other != name) all += file.bytes;
    if (all > self.max_bytes) return fail(self, fmt::format(e::kSaveQuota, all, self.max_bytes));
    if (self.files.size() >= kMaxSaveFiles && !self.files.contains(name))
        return fail(self, fmt::format(e::kSaveTooMany, self.files.size()));
    return true;
}

/// How many files there are, -1 with error() set.
double list(void* context) noexcept {
    SaveContext& self = save(context);
    return look(self) ? static_cast<double>(self.files.size()) : -1.0;
}

/// Of the files in order. Expects: index < list().
const char* name(void* context, double index) noexcept {
    return std::next(save(context).files.begin(), static_cast<std::ptrdiff_t>(index))->first.c_str();
}

/// 0: it does not exist; 1: content() is its contents; 2: its previous contents; -1 with error() set.
double read(void* context, const char* name, double length, bool previous) noexcept {
    SaveContext& self = save(context);
    if (!look(self)) return -1;
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
    if (!look(self) || !has_room(self, internal::text_of(name, name_length), content.size()) ||
        !may_work(self))
        return false;
    const std::string own(internal::text_of(name, name_length));
    if (Result<void> written = self.data.write(self.place, own, content); !written)
        return fail(self, written.error().message);
    SaveContext::Known& file = self.files[own];
    file.bytes = content.size();
    remember(self, file, {std::string(content), false});
    return true;
}

/// 1: removed; 0: it did not exist; -1 with error() set.
double remove(void* context, const char* name, double length) noexcept {
    SaveContext& self = save(context);
    if (!look(self)) return -1;
    const auto found = self.files.find(internal::text_of(name, length));
    if (found == self.files.end()) return 0;
    if (!may_work(self)) return -1;
    if (Result<void> removed = self.data.remove(self.place, found->first); !removed) {
        self.error = removed.error().message;
        return -1;
    }
    forget_content(self, found->second);
    self.files.erase(found);
    return 1;
}

const char* save_error(void* context) noexcept { return save(context).error.c_str(); }

bool is_name(void*, const char* name, double length) noexcept {
    return is_save_name(internal::text_of(name, length));
}

}  // namespace

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
            },
            {
                {"max_bytes", kMaxSaveBytes},
                {"max_name_bytes", kMaxSaveNameBytes},
            }};
}

}  // namespace perigee
