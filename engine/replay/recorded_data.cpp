// Converts answers to bytes and back; bytes from a log are untrusted.
#include "engine/replay/recorded_data.h"

#include "ecs/base/internal/byte_stream.h"
#include "engine/base/error_codes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perigee {

namespace {

using internal::ByteReader;
using internal::put_varint;

constexpr char kList = 'l', kRead = 'r', kWrite = 'w', kRemove = 'd';
constexpr char kFailed = 0, kDone = 1;
constexpr char kAbsent = 0, kNewest = 1, kPrevious = 2;

std::string begun(char kind, const Error* error) {
    std::string bytes{kind, error != nullptr ? kFailed : kDone};
    if (error != nullptr) bytes += error->message;
    return bytes;
}

template <typename T> std::string begun(char kind, const Result<T>& answer) {
    return begun(kind, answer ? nullptr : &answer.error());
}

Error not_recorded() { return Error{engine_errors::kSaveNotRecorded}; }

}  // namespace

// ---- keeping ----------------------------------------------------------------------------------------------

void RecordedData::keep(const std::string& place, std::string bytes, std::string_view content) {
    const std::scoped_lock lock(mutex_);
    SaveAnswer answer{place, std::move(bytes)};
    if (!content.empty()) answer.content = std::make_shared<const std::string>(content);
    answers_[place].push_back(std::move(answer));
}

std::vector<SaveAnswer> RecordedData::take_answers() {
    const std::scoped_lock lock(mutex_);
    std::vector<SaveAnswer> all;
    for (auto& [place, answers] : answers_) std::ranges::move(answers, std::back_inserter(all));
    answers_.clear();
    return all;
}

Result<std::vector<PlayerData::File>> RecordedData::list(const std::string& place) {
    Result<std::vector<File>> files = data_.list(place);
    std::string bytes = begun(kList, files);
    if (files) {
        put_varint(bytes, files.value().size());
        for (const File& file : files.value()) {
            put_varint(bytes, file.name.size());
            bytes += file.name;
            put_varint(bytes, file.bytes);
        }
    }
    keep(place, std::move(bytes));
    return files;
}

Result<std::optional<PlayerData::Content>> RecordedData::read(const std::string& place,
                                                              const std::string& name, Version version) {
    Result<std::optional<Content>> content = data_.read(place, name, version);
    std::string bytes = begun(kRead, content);
    if (content) {
        const std::optional<Content>& found = content.value();
        bytes += !found ? kAbsent : found->is_previous ? kPrevious : kNewest;
        if (found && is_world_place(place)) {
            keep(place, std::move(bytes), found->bytes);
            return content;
        }
        if (found) bytes += found->bytes;
    }
    keep(place, std::move(bytes));
    return content;
}

Result<void> RecordedData::write(const std::string& place, const std::string& name, std::string_view bytes) {
    Result<void> written = data_.write(place, name, bytes);
    keep(place, begun(kWrite, written));
    return written;
}

Result<void> RecordedData::write_made(const std::string& place, const std::string& name, const Make& make) {
    Result<void> written = data_.write_made(place, name, make);
    keep(place, begun(kWrite, written));
    return written;
}

Result<void> RecordedData::remove(const std::string& place, const std::string& name) {
    Result<void> removed = data_.remove(place, name);
    keep(place, begun(kRemove, removed));
    return removed;
}

// ---- giving again -----------------------------------------------------------------------------------------

void ReplayedData::give(std::vector<SaveAnswer> answers) {
    const std::scoped_lock lock(mutex_);
    answers_.clear();
    for (SaveAnswer& answer : answers) answers_[answer.place].push_back(std::move(answer));
}

Result<std::string> ReplayedData::next(const std::string& place, char kind) {
    const std::scoped_lock lock(mutex_);
    std::deque<SaveAnswer>& left = answers_[place];
    if (left.empty() || left.front().bytes.size() < 2 || left.front().bytes[0] != kind) return not_recorded();
    const SaveAnswer answer = std::move(left.front());
    left.pop_front();
    std::string bytes = answer.bytes.substr(2);
    if (answer.bytes[1] != kDone) return Error{std::move(bytes)};
    if (answer.content != nullptr) bytes += *answer.content;
    return bytes;
}

Result<std::vector<PlayerData::File>> ReplayedData::list(const std::string& place) {
    const Result<std::string> bytes = next(place, kList);
    if (!bytes) return bytes.error();
    ByteReader in{bytes.value()};
    std::vector<File> files;
    for (std::uint64_t count = in.get_varint(); count > 0 && in.is_ok(); --count) {
        std::string name{in.take(in.get_varint())};
        const std::uint64_t size = in.get_varint();
        if (!is_save_name(name) || files.size() == kMaxSaveFiles) return not_recorded();
        files.push_back({std::move(name), size});
    }
    if (!in.is_ok() || !in.is_at_end()) return not_recorded();
    return files;
}

Result<std::optional<PlayerData::Content>> ReplayedData::read(const std::string& place, const std::string&,
                                                              Version) {
    Result<std::string> bytes = next(place, kRead);
    if (!bytes) return bytes.error();
    if (bytes.value().empty() || bytes.value()[0] > kPrevious || bytes.value()[0] < kAbsent)
        return not_recorded();
    if (bytes.value()[0] == kAbsent) return std::optional<Content>{};
    return std::optional<Content>{Content{bytes.value().substr(1), bytes.value()[0] == kPrevious}};
}

Result<void> ReplayedData::write(const std::string& place, const std::string&, std::string_view) {
    const Result<std::string> bytes = next(place, kWrite);
    if (!bytes) return bytes.error();
    return {};
}

Result<void> ReplayedData::write_made(const std::string& place, const std::string& name, const Make&) {
    return write(place, name, {});
}

Result<void> ReplayedData::remove(const std::string& place, const std::string&) {
    const Result<std::string> bytes = next(place, kRemove);
    if (!bytes) return bytes.error();
    return {};
}

}  // namespace perigee
