// Entries to bytes and back.
#include "engine/replay/hash_log.h"

#include "ecs/base/internal/byte_stream.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace perigee {

namespace {

using internal::ByteReader;
using internal::put_number;
using internal::put_varint;
namespace e = engine_errors;

constexpr std::string_view kHashMagic = "perigee hash log ";
constexpr std::string_view kHashVersion = "2";
constexpr std::string_view kHashVersionWithoutLuaJit = "1";

enum Tag : std::uint8_t { kTypeTag = 1, kStateTag, kStepTag, kRestartTag, kEndTag, kLimitTag };

void put_name(std::string& out, std::string_view name) {
    put_varint(out, name.size());
    out += name;
}

std::string take_name(ByteReader& in) {
    const std::uint64_t size = in.get_varint();
    return std::string(in.take(size));
}

// ---- writing ----

void put(std::string& out, const HashLogType& type) {
    out += static_cast<char>(kTypeTag);
    put_name(out, type.name);
    put_number<std::uint64_t>(out, type.schema_hash);
    put_varint(out, type.fields.size());
    for (const std::string& field : type.fields) put_name(out, field);
}

void put_digest(std::string& out, const DifferenceDigest& digest) {
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < DifferenceDigest::kCellCount; ++i)
        if (digest.cells()[i] != DifferenceDigest::Cell{}) used |= std::uint64_t{1} << i;
    put_number<std::uint64_t>(out, used);
    for (const DifferenceDigest::Cell& cell : digest.cells()) {
        if (cell == DifferenceDigest::Cell{}) continue;
        put_number<std::uint64_t>(out, cell.hash_sum);
        put_number<std::uint64_t>(out, cell.index_sum);
        put_number<std::uint64_t>(out, cell.rest_sum);
    }
}

void put(std::string& out, const HashLogState& state) {
    out += static_cast<char>(kStateTag);
    out += static_cast<char>(state.moment);
    put_name(out, state.system);
    put_varint(out, state.changed.size());
    for (const HashLogState::Sum& sum : state.changed) {
        put_varint(out, sum.type);
        put_number<std::uint64_t>(out, sum.sum);
    }
    if (!state.changed.empty()) put_digest(out, state.change);
}

void put(std::string& out, const HashLogStep& step) {
    out += static_cast<char>(kStepTag);
    put_varint(out, step.tick);
    put_number<std::uint64_t>(out, step.world_hash);
    put_varint(out, step.types.size());
    for (const std::uint64_t hash : step.types) put_number<std::uint64_t>(out, hash);
}

void put(std::string& out, const HashLogRestart&) { out += static_cast<char>(kRestartTag); }

void put(std::string& out, const HashLogEnd& end) {
    out += static_cast<char>(kEndTag);
    put_varint(out, end.step_count);
}

void put(std::string& out, const HashLogLimit& limit) {
    out += static_cast<char>(kLimitTag);
    put_name(out, limit.reason);
}

// ---- reading: empty results when damaged ----

// Counts come from the file: none may reserve more than the file can contain.
constexpr std::uint64_t kMaxTypes = 0x10000;

std::optional<HashLogEntry> take_type(ByteReader& in) {
    HashLogType type;
    type.name = take_name(in);
    type.schema_hash = in.get<std::uint64_t>();
    const std::uint64_t count = in.get_varint();
    if (count > kMaxTypes) return std::nullopt;
    for (std::uint64_t i = 0; i < count && in.is_ok(); ++i) type.fields.push_back(take_name(in));
    return type;
}

void take_digest(ByteReader& in, DifferenceDigest& digest) {
    const std::uint64_t used = in.get<std::uint64_t>();
    for (std::size_t i = 0; i < DifferenceDigest::kCellCount; ++i) {
        if ((used >> i & 1U) == 0) continue;
        DifferenceDigest::Cell& cell = digest.cells()[i];
        cell.hash_sum = in.get<std::uint64_t>();
        cell.index_sum = in.get<std::uint64_t>();
        cell.rest_sum = in.get<std::uint64_t>();
    }
}

std::optional<HashLogEntry> take_state(ByteReader& in, std::size_t type_count) {
    HashLogState state;
    const std::uint8_t moment = in.get<std::uint8_t>();
    state.moment = static_cast<HashMoment>(moment);
    state.system = take_name(in);
    const std::uint64_t count = in.get_varint();
    if (moment > static_cast<std::uint8_t>(HashMoment::other) || count > type_count) return std::nullopt;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t type = in.get_varint();
        if (in.is_ok() && type >= type_count) return std::nullopt;
        state.changed.push_back({static_cast<std::uint16_t>(type), in.get<std::uint64_t>()});
    }
    if (count > 0) take_digest(in, state.change);
    return state;
}

std::optional<HashLogEntry> take_step(ByteReader& in, std::size_t type_count) {
    HashLogStep step;
    step.tick = in.get_varint();
    step.world_hash = in.get<std::uint64_t>();
    const std::uint64_t count = in.get_varint();
    if (in.is_ok() && count != type_count) return std::nullopt;
    for (std::uint64_t i = 0; i < count && in.is_ok(); ++i) step.types.push_back(in.get<std::uint64_t>());
    return step;
}

std::optional<HashLogEntry> take_entry(ByteReader& in, std::size_t type_count) {
    switch (in.get<std::uint8_t>()) {
        case kTypeTag:
            return take_type(in);
        case kStateTag:
            return take_state(in, type_count);
        case kStepTag:
            return take_step(in, type_count);
        case kRestartTag:
            return HashLogRestart{};
        case kLimitTag:
            return HashLogLimit{take_name(in)};
        case kEndTag:
            return HashLogEnd{true, in.get_varint()};
        default:
            return std::nullopt;
    }
}

}  // namespace

HashLogWriter::HashLogWriter(const LogHeader& header) {
    bytes_ = header_text(kHashMagic, kHashVersion, header);
}

void HashLogWriter::write(const HashLogEntry& entry) {
    std::visit([this](const auto& one) { put(bytes_, one); }, entry);
}

std::string HashLogWriter::take_bytes() { return std::exchange(bytes_, {}); }

Result<HashLogReader> HashLogReader::open(std::string bytes) {
    HashLogReader reader;
    reader.bytes_ = std::move(bytes);
    const std::string_view all = reader.bytes_;
    if (!all.starts_with(kHashMagic)) return Error{e::kHashLogNotALog};
    const std::size_t end = all.find("\n\n");
    std::string_view rest = all.substr(0, end == std::string_view::npos ? 0 : end + 1);
    // An empty version passes for ours.
    const std::string_view version = take_line(rest, kHashMagic).value_or("");
    if (!version.empty() && version != kHashVersion && version != kHashVersionWithoutLuaJit)
        return Error{fmt::format(e::kHashLogOtherVersion, version, kHashVersion)};
    std::optional<LogHeader> header = take_header(rest);
    if (!header) return Error{e::kHashLogBadHeader};
    reader.header_ = std::move(*header);
    reader.at_ = end + 2;
    return reader;
}

Result<HashLogEntry> HashLogReader::next() {
    ByteReader in{bytes_, at_};
    std::optional<HashLogEntry> entry = take_entry(in, types_.size());
    // A log cut off in the middle of an entry ends before that entry.
    if (in.has_run_out()) return HashLogEntry{HashLogEnd{false, step_count_}};
    if (!entry || !in.is_ok()) return Error{fmt::format(e::kHashLogCorrupt, at_, step_count_)};
    if (const auto* end = std::get_if<HashLogEnd>(&*entry)) {
        if (end->step_count != step_count_ || !in.is_at_end())
            return Error{fmt::format(e::kHashLogCorrupt, at_, step_count_)};
        return std::move(*entry);  // and stays here
    }
    at_ = in.position();
    if (auto* type = std::get_if<HashLogType>(&*entry)) types_.push_back(*type);
    if (std::holds_alternative<HashLogStep>(*entry)) ++step_count_;
    if (std::holds_alternative<HashLogRestart>(*entry)) types_.clear();
    return std::move(*entry);
}

}  // namespace perigee
