// Each component is read into the place that it has in the target.
#include "ecs/save/internal/chunk_reader.h"

#include "ecs/storage/buffer.h"

#include <algorithm>
#include <cstring>

namespace perigee::internal {

namespace {

// Of the capacity that a buffer had outside the chunk, at most this many times its length is kept.
constexpr std::uint32_t kMaxSpare = 4;

}  // namespace

ChunkReader::ChunkReader(ByteReader& from, const ValueReader& values, const ComponentRegistry& registry,
                         const Archetype& archetype, std::span<ChangeVersion> versions, std::uint32_t rows,
                         ChunkImage& image)
    : from_(from),
      values_(values),
      registry_(registry),
      archetype_(archetype),
      versions_(versions),
      row_count_(rows),
      image_(image) {}

void ChunkReader::read(std::span<const ComponentId> components) {
    std::uint32_t shared_bytes = 0;
    std::vector<std::uint32_t> shared_offsets;
    for (const ComponentId shared : archetype_.shared_components()) {
        shared_offsets.push_back(shared_bytes);
        shared_bytes += registry_.info(shared).schema.size;
    }
    image_.shared_values.resize(shared_bytes);
    image_.chunk_values.resize(archetype_.chunk_value_bytes(0).size());
    for (const ComponentId component : components) {
        const ComponentInfo& info = registry_.info(component);
        if (const int column = archetype_.column_of(component); column >= 0)
            read_column(info, static_cast<std::size_t>(column));
        if (const int mask = archetype_.mask_of(component); mask >= 0) {
            read_version(archetype_.mask_slot(static_cast<std::size_t>(mask)));
            read_bits(static_cast<std::size_t>(mask));
        }
        if (const int shared = archetype_.shared_of(component); shared >= 0)
            values_.read(from_, info,
                         image_.shared_values.data() + shared_offsets[static_cast<std::size_t>(shared)]);
        if (const int value = archetype_.chunk_value_of(component); value >= 0) {
            const auto place = static_cast<std::size_t>(value);
            read_version(archetype_.chunk_value_slot(place));
            values_.read(from_, info, image_.chunk_values.data() + archetype_.chunk_values()[place].offset);
        }
        if (!from_.is_ok()) return;
    }
    for (const auto& [column, heap] : heaps_)
        image_.elements.insert(image_.elements.end(), heap.begin(), heap.end());
    image_.count();
}

void ChunkReader::read_column(const ComponentInfo& info, std::size_t column) {
    read_version(column);
    if (info.kind() == ComponentKind::object) return;  // WorldReader::read_objects
    const std::uint32_t cell_bytes = archetype_.layout().columns[column].size;
    std::byte* cell = image_.column(column);
    if (info.kind() != ComponentKind::buffer)
        return values_.read_all(from_, info, cell, row_count_, cell_bytes);
    for (std::uint32_t row = 0; row < row_count_ && from_.is_ok(); ++row, cell += cell_bytes)
        read_buffer(info, cell, heaps_[column]);
}

// An address other than 0 marks elements outside the chunk.
void ChunkReader::read_buffer(const ComponentInfo& info, std::byte* cell, std::vector<std::byte>& heap) {
    const std::uint32_t element = info.schema.size;
    BufferHeader header;
    header.length = from_.count(std::max<std::size_t>(packed_bytes(info), 1));
    const auto capacity = from_.get<std::uint32_t>();
    const std::uint32_t most =
        std::min<std::uint32_t>(kMaxBufferElements, static_cast<std::uint32_t>(kMaxBufferBytes / element));
    if (header.length > (capacity == 0 ? info.schema.buffer_capacity : std::min(capacity, most)))
        return from_.fail();
    std::byte* elements = cell + sizeof header;
    if (capacity != 0) {
        const std::uint32_t kept = std::max(header.length, info.schema.buffer_capacity) * kMaxSpare;
        header.heap = 1;
        header.heap_capacity = std::max(std::min({capacity, kept, most}), header.length);
        heap.resize(heap.size() + std::size_t{header.length} * element);
        elements = heap.data() + heap.size() - std::size_t{header.length} * element;
        if (header.heap_capacity == 0) header.heap = 0;
    }
    values_.read_all(from_, info, elements, header.length, element);
    std::memcpy(cell, &header, sizeof header);
}

void ChunkReader::read_bits(std::size_t mask) {
    const std::size_t words = (std::size_t{row_count_} + 63) / 64;
    const std::string_view bits = from_.take(words * sizeof(std::uint64_t));
    if (bits.empty()) return;
    std::uint64_t last;
    std::memcpy(&last, bits.data() + bits.size() - sizeof last, sizeof last);
    if (row_count_ % 64 != 0 && last >> (row_count_ % 64) != 0) return from_.fail();
    std::memcpy(image_.bits(archetype_.layout(), mask), bits.data(), bits.size());
}

}  // namespace perigee::internal
