// Copies of values are written as a list by entity; the pages are made for the target.
#include "ecs/save/internal/watch_bytes.h"

#include <algorithm>
#include <memory>

namespace perigee::internal {

void WatchBytes::write_records(ByteWriter& to, ValueWriter& values, const ComponentInfo& info,
                               const Observers::Records& records) {
    const std::uint32_t bytes = info.schema.size;
    to.put_count(records.entities.size());
    to.put(static_cast<std::uint8_t>(!records.values.empty()));
    for (const Entity entity : records.entities) to.put(entity.bits);
    for (std::size_t at = 0; at < records.values.size(); at += bytes)
        values.write(to, info, records.values.data() + at);
}

void WatchBytes::write(ByteWriter& to, ValueWriter& values, const ComponentInfo& info,
                       const Observers::Watch& watch) {
    to.put(watch.compared);
    for (std::size_t kind = 0; kind < Observers::kKinds; ++kind) {
        write_records(to, values, info, watch.pending[kind]);
        write_records(to, values, info, watch.published[kind]);
    }
    ByteWriter copies;
    std::size_t count = 0;
    for (const std::unique_ptr<Observers::Page>& page : watch.pages) {
        for (std::size_t row = 0; page != nullptr && row < watch.page_rows; ++row) {
            if (!page->owners[row]) continue;
            ++count;
            copies.put(page->owners[row].bits);
            copies.put(static_cast<std::uint8_t>(page->is_copied[row]));
            if (page->is_copied[row] && watch.value_bytes != 0)
                values.write(copies, info, page->values.get() + row * watch.value_bytes);
        }
    }
    to.put_count(count);
    to.append(copies);
}

void WatchBytes::read_records(ByteReader& from, const ValueReader& values, const ComponentInfo& info,
                              std::uint32_t value_bytes, Observers::Records& records) {
    const std::uint32_t count = from.count(sizeof(std::uint64_t));
    const bool has_values = from.get_bool();
    // Readers of a record rely on its value.
    if (has_values != (value_bytes != 0 && count != 0)) from.fail();
    if (!from.is_ok()) return;
    records.entities.resize(count);
    for (Entity& entity : records.entities) entity.bits = from.get<std::uint64_t>();
    if (!has_values) return;
    if (from.left() / std::max<std::size_t>(packed_bytes(info), 1) < count) return from.fail();
    records.values.resize(std::size_t{count} * value_bytes);
    for (std::size_t at = 0; at < records.values.size() && from.is_ok(); at += value_bytes)
        values.read(from, info, records.values.data() + at);
}

void WatchBytes::read(ByteReader& from, const ValueReader& values, const ComponentInfo& info,
                      std::uint32_t slots, Observers::Watch& own) {
    own.compared = from.get<ChangeVersion>();
    const bool is_stored = info.has_column() || is_shared_kind(info.kind());
    for (std::size_t kind = 0; kind < Observers::kKinds; ++kind) {
        const bool has_values = is_stored && kind != static_cast<std::size_t>(Trigger::Kind::added);
        for (Observers::Records* const records : {&own.pending[kind], &own.published[kind]}) {
            *records = {};
            read_records(from, values, info, has_values ? own.value_bytes : 0, *records);
        }
    }
    own.pages.clear();
    own.page_bytes = 0;
    const std::uint32_t count = from.count(sizeof(std::uint64_t) + 1);
    for (std::uint32_t i = 0; i < count && from.is_ok(); ++i) {
        const Entity entity{from.get<std::uint64_t>()};
        const bool is_copied = from.get_bool();
        if (!from.is_ok() || !entity || entity.index() >= slots) return from.fail();
        const std::size_t number = entity.index() / own.page_rows, row = entity.index() % own.page_rows;
        if (number >= own.pages.size()) own.pages.resize(number + 1);
        std::unique_ptr<Observers::Page>& page = own.pages[number];
        if (page == nullptr) page = std::make_unique<Observers::Page>(own.page_rows, own.value_bytes);
        if (page->owners[row]) return from.fail();
        page->owners[row] = entity;
        page->is_copied[row] = is_copied;
        ++page->used;
        if (is_copied && own.value_bytes != 0)
            values.read(from, info, page->values.get() + row * own.value_bytes);
    }
    for (const std::unique_ptr<Observers::Page>& page : own.pages)
        own.page_bytes += page != nullptr ? Observers::bytes_of_page(own) : 0;
    own.page_bytes += own.pages.capacity() * sizeof own.pages.front();
}

}  // namespace perigee::internal
