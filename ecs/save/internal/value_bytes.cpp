// A value is written leaf by leaf. A blob refers only to older blobs, so they are numbered by age, and can be
// built in that order.
#include "ecs/save/internal/value_bytes.h"

#include "ecs/base/entity.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/internal/row_hasher.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

namespace perigee::internal {

namespace {

bool is_handle(FieldType type) noexcept {
    return type == FieldType::text || type == FieldType::blob || type == FieldType::asset;
}

std::uint64_t number_at(const std::byte* at, std::uint32_t size) noexcept {
    std::uint64_t number = 0;
    std::memcpy(&number, at, std::min<std::size_t>(size, sizeof number));
    return number;
}

// What the type of the field does not say by its size alone.
bool is_in_range(const Leaf& leaf, std::uint64_t number) noexcept {
    const std::size_t labels = leaf.field->labels.size();
    switch (leaf.type) {
        case FieldType::boolean:
            return number <= 1;
        case FieldType::enumeration:
            return number < labels;
        case FieldType::flags:
            return labels >= 64 || number >> labels == 0;
        case FieldType::entity:
            return number <= Entity::kMaxBits;
        default:
            return true;
    }
}

// True if a value in the file has the bytes that it has in memory.
bool is_packed(const ComponentInfo& info) noexcept {
    std::size_t end = 0;
    for (const Leaf& leaf : info.leaves) {
        if (is_handle(leaf.type) || leaf.offset != end) return false;
        end += leaf.size;
    }
    return end == info.schema.size && !info.schema.presentation;
}

// Whole numbers of these types have no other form and no range.
bool takes_all_bits(FieldType type) noexcept {
    return type == FieldType::i8 || type == FieldType::u8 || type == FieldType::i16 ||
           type == FieldType::u16 || type == FieldType::i32 || type == FieldType::u32 ||
           type == FieldType::i64 || type == FieldType::u64;
}

bool is_all_f32(const ComponentInfo& info) noexcept {
    return std::ranges::all_of(info.leaves, [](const Leaf& leaf) { return leaf.type == FieldType::f32; });
}

// As copy_canonical, in a loop that compilers vectorise.
void make_all_canonical(std::byte* floats, std::size_t bytes) noexcept {
    constexpr std::uint32_t kInfinity = 0x7F800000, kNan = 0x7FC00000;
    for (std::size_t at = 0; at < bytes; at += sizeof(float)) {
        std::uint32_t bits;
        std::memcpy(&bits, floats + at, sizeof bits);
        bits = (bits & 0x7FFFFFFF) > kInfinity ? kNan : bits;
        std::memcpy(floats + at, &bits, sizeof bits);
    }
}

}  // namespace

std::size_t packed_bytes(const ComponentInfo& info) noexcept {
    std::size_t bytes = 0;
    for (const Leaf& leaf : info.leaves) bytes += leaf.size;
    return bytes;
}

// ---- writing ----

ValueWriter::ValueWriter(const World& world, const SavedAssets& assets)
    : world_(world), assets_(assets), all_blobs_(world.blobs().all()) {
    for (const BlobHandle blob : all_blobs_)
        blob_places_.emplace(blob.index, static_cast<std::uint32_t>(blob_places_.size() + 1));
}

std::uint32_t ValueWriter::place_of(std::unordered_map<std::uint32_t, std::uint32_t>& places,
                                    std::vector<std::uint32_t>& handles, std::uint32_t handle) {
    if (handle == 0) return 0;
    const auto [known, is_new] = places.emplace(handle, static_cast<std::uint32_t>(handles.size() + 1));
    if (is_new) handles.push_back(handle);
    return known->second;
}

void ValueWriter::write(ByteWriter& to, const ComponentInfo& info, const std::byte* value) {
    if (info.schema.presentation) value = info.schema.defaults.data();
    for (const Leaf& leaf : info.leaves) {
        const std::byte* const at = value + leaf.offset;
        if (!is_handle(leaf.type)) {
            to.put_bytes({at, leaf.size});
            continue;
        }
        auto handle = static_cast<std::uint32_t>(number_at(at, sizeof(std::uint32_t)));
        if (leaf.type == FieldType::text) {
            handle = world_.texts().has(TextHandle{handle}) ? place_of(text_places_, texts_, handle) : 0;
        } else if (leaf.type == FieldType::asset) {
            handle = place_of(asset_places_, asset_handles_, handle);
        } else {
            const auto known = blob_places_.find(handle);
            handle = known == blob_places_.end() ? 0 : known->second;
            if (handle != 0) blobs_.insert(handle);
        }
        to.put(handle);
    }
}

void ValueWriter::write_all(ByteWriter& to, const ComponentInfo& info, const std::byte* values,
                            std::uint32_t count, std::uint32_t stride) {
    if (stride == info.schema.size && is_packed(info))
        return to.put_bytes({values, std::size_t{count} * stride});
    for (std::uint32_t i = 0; i < count; ++i) write(to, info, values + std::size_t{i} * stride);
}

void ValueWriter::write_tables(ByteWriter& to, std::set<ComponentId>& used) {
    // The highest number first, since its rows may name lower ones.
    std::map<std::uint32_t, ByteWriter> rows;
    for (std::uint32_t last = 0xFFFFFFFF;;) {
        const auto next = blobs_.lower_bound(last);
        if (next == blobs_.begin()) break;
        last = *std::prev(next);
        const BlobHandle handle = all_blobs_[last - 1];
        const ComponentInfo& info = world_.registry().info(world_.blobs().type(handle));
        used.insert(info.id);
        const std::span<const std::byte> bytes = world_.blobs().bytes(handle);
        ByteWriter& blob = rows[last];
        for (std::size_t at = 0; at < bytes.size(); at += info.schema.size)
            write(blob, info, bytes.data() + at);
    }
    to.put_count(texts_.size());
    for (const std::uint32_t text : texts_) to.put_text(world_.texts().text(TextHandle{text}));
    to.put_count(asset_handles_.size());
    for (const std::uint32_t asset : asset_handles_) {
        to.put(asset);
        to.put_text(assets_.name_of ? assets_.name_of(asset) : std::string());
    }
    to.put_count(rows.size());
    for (const auto& [number, bytes] : rows) {
        to.put(number);
        to.put(world_.blobs().type(all_blobs_[number - 1]).index);
        to.put_count(world_.blobs().row_count(all_blobs_[number - 1]));
        to.append(bytes);
    }
}

// ---- reading ----

Result<void> ValueReader::read_tables(ByteReader& from, SavedTypes types) {
    const std::uint32_t texts = from.count(sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < texts && from.is_ok(); ++i) {
        const Result<TextHandle> text = world_.texts().intern(from.get_text());
        if (!text) return text.error();
        texts_.push_back(text.value().index);
    }
    const std::uint32_t assets = from.count(2 * sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < assets && from.is_ok(); ++i) {
        const auto number = from.get<std::uint32_t>();
        const std::string_view name = from.get_text();
        const bool is_named = assets_.handle_of && !name.empty();
        const Result<std::uint32_t> handle = is_named ? assets_.handle_of(name) : Result(number);
        if (!handle) return handle.error();
        asset_handles_.push_back(handle.value());
    }
    return read_blobs(from, types);
}

Result<void> ValueReader::read_blobs(ByteReader& from, SavedTypes types) {
    const std::uint32_t blobs = from.count(2 * sizeof(std::uint32_t) + sizeof(std::uint16_t));
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < blobs && from.is_ok(); ++i) {
        const auto number = from.get<std::uint32_t>();
        const auto type = from.get<std::uint16_t>();
        const bool is_known = number > last && type < types.size() && types[type] != nullptr;
        if (!is_known || types[type]->kind() != ComponentKind::blob) {
            from.fail();
            break;
        }
        const ComponentInfo& info = *types[type];
        const std::uint32_t count = from.count(std::max<std::size_t>(packed_bytes(info), 1));
        std::vector<std::byte> rows(std::size_t{count} * info.schema.size);
        for (std::uint32_t row = 0; row < count; ++row)
            read(from, info, rows.data() + std::size_t{row} * info.schema.size);
        if (!from.is_ok()) break;
        const Result<BlobHandle> made = world_.blobs().build(info.id, rows);
        if (!made) return made.error();
        blobs_.emplace(number, made.value().index);
        last = number;
    }
    return {};
}

bool ValueReader::read_handle(ByteReader& from, const Leaf& leaf, std::byte* at) const {
    const auto place = from.get<std::uint32_t>();
    std::uint32_t handle = 0;
    if (leaf.type == FieldType::blob && place != 0) {
        const auto known = blobs_.find(place);
        if (known == blobs_.end()) return false;
        handle = known->second;
        const std::vector<std::string>& wanted = leaf.field->labels;
        if (!wanted.empty() && world_.blobs().type_name(BlobHandle{handle}) != wanted.front()) return false;
    } else if (leaf.type != FieldType::blob) {
        const std::vector<std::uint32_t>& handles = leaf.type == FieldType::text ? texts_ : asset_handles_;
        if (place >= handles.size()) return false;
        handle = handles[place];
    }
    std::memcpy(at, &handle, sizeof handle);
    return true;
}

bool ValueReader::read_leaf(ByteReader& from, const Leaf& leaf, std::byte* at) const {
    if (is_handle(leaf.type)) return read_handle(from, leaf, at);
    const std::string_view taken = from.take(leaf.size);
    if (taken.size() != leaf.size) return false;
    const auto* const bytes = reinterpret_cast<const std::byte*>(taken.data());
    if (!is_in_range(leaf, number_at(bytes, leaf.size))) return false;
    copy_canonical(leaf, bytes, at);
    return true;
}

void ValueReader::read(ByteReader& from, const ComponentInfo& info, std::byte* value) const {
    std::memset(value, 0, info.schema.size);
    for (const Leaf& leaf : info.leaves) {
        if (read_leaf(from, leaf, value + leaf.offset)) continue;
        from.fail();
        return;
    }
    if (info.schema.presentation) std::memcpy(value, info.schema.defaults.data(), info.schema.size);
}

void ValueReader::read_all(ByteReader& from, const ComponentInfo& info, std::byte* values,
                           std::uint32_t count, std::uint32_t stride) const {
    if (stride != info.schema.size || !is_packed(info)) {
        for (std::uint32_t i = 0; i < count && from.is_ok(); ++i)
            read(from, info, values + std::size_t{i} * stride);
        return;
    }
    const std::size_t bytes = std::size_t{count} * stride;
    const std::string_view taken = from.take(bytes);
    if (taken.size() != bytes || bytes == 0) return;
    std::memcpy(values, taken.data(), bytes);
    if (is_all_f32(info)) return make_all_canonical(values, bytes);
    for (const Leaf& leaf : info.leaves) {
        if (takes_all_bits(leaf.type)) continue;
        for (std::size_t at = leaf.offset; at < bytes; at += stride) {
            if (!is_in_range(leaf, number_at(values + at, leaf.size))) return from.fail();
            copy_canonical(leaf, reinterpret_cast<const std::byte*>(taken.data()) + at, values + at);
        }
    }
}

}  // namespace perigee::internal
