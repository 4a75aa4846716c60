// Records per kind and component, and the copies that `changed` compares with.
#include "ecs/world/observers.h"

#include "ecs/archetype/archetype.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/keep_room.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/world/internal/record_room.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace perigee {

namespace {

using Kind = Trigger::Kind;

// Kinds that are recorded when rows are added or removed.
constexpr std::array<Kind, 3> kReported{Kind::added, Kind::removed, Kind::destroyed};

constexpr std::size_t number(Kind kind) noexcept { return static_cast<std::size_t>(kind); }

}  // namespace

std::string_view trigger_name(Trigger::Kind kind) noexcept {
    constexpr std::array<std::string_view, 5> kNames{"event", "added", "removed", "changed", "destroyed"};
    return kNames[number(kind)];
}

std::optional<std::string> observing_refused(Trigger::Kind kind, const Schema& schema) {
    const auto refused = [&](std::string_view reason) {
        return errors::not_observable(schema.name, kind_name(schema.kind), trigger_name(kind), reason);
    };
    if ((kind == Kind::event) != (schema.kind == ComponentKind::event)) {
        return refused(kind == Kind::event ? "expected an event"
                                           : "an event happens and is over; react to the event itself");
    }
    if (kind == Kind::event) return std::nullopt;
    if (!is_component_kind(schema.kind)) return refused("it belongs to no entity");
    if (schema.kind == ComponentKind::chunk) return refused("it belongs to a chunk and not to an entity");
    if (schema.presentation && kind != Kind::added)
        return refused("it is presentation data, whose values depend on the frame rate");
    if (kind != Kind::changed) return std::nullopt;
    if (is_shared_kind(schema.kind))
        return refused("its value belongs to many rows, which move to change it");
    if (value_bytes(schema) == 0) return refused("it has no value in its row that could be compared");
    return std::nullopt;
}

Observers::Observers(const ComponentRegistry& registry) : registry_(registry) {}
Observers::~Observers() = default;
void Observers::WatchDeleter::operator()(Watch* watch) const noexcept { delete watch; }

Observers::Page::Page(std::size_t rows, std::uint32_t value_bytes)
    : owners(std::make_unique<Entity[]>(rows)),
      is_copied(std::make_unique<bool[]>(rows)),
      values(std::make_unique<std::byte[]>(rows * value_bytes)) {}

std::size_t Observers::page_rows_of(std::uint32_t value_bytes) noexcept {
    const std::size_t rows = kPageBytes / std::max<std::size_t>(value_bytes, 1);
    return std::bit_floor(std::clamp(rows, kMinPageRows, kMaxPageRows));
}

// ---- observers ----

Observers::Watch* Observers::find(ComponentId component) noexcept {
    return const_cast<Watch*>(std::as_const(*this).find(component));
}

const Observers::Watch* Observers::find(ComponentId component) const noexcept {
    const auto found =
        std::lower_bound(watches_.begin(), watches_.end(), component,
                         [](const WatchPtr& watch, ComponentId id) { return watch->component < id; });
    return found != watches_.end() && (*found)->component == component ? found->get() : nullptr;
}

bool Observers::observe(Trigger trigger, ObservationPayer* payer) {
    Watch* watch = find(trigger.component);
    if (watch == nullptr) {
        WatchPtr made(new Watch);
        const ComponentInfo& info = registry_.info(trigger.component);
        made->component = trigger.component;
        made->value_bytes = value_bytes(info.schema);
        made->page_rows = page_rows_of(made->value_bytes);
        made->parts = parts_of(info);
        watch = made.get();
        const auto place = std::find_if(watches_.begin(), watches_.end(), [&](const auto& other) {
            return trigger.component < other->component;
        });
        watches_.insert(place, std::move(made));
    }
    std::vector<ObservationPayer*>& payers = watch->account(trigger.kind).payers;
    payers.push_back(payer);
    return payers.size() == 1;
}

bool Observers::remove(Trigger trigger, ObservationPayer* payer) {
    Watch* const watch = find(trigger.component);
    ECS_EXPECTS(watch != nullptr && watch->wants(trigger.kind), trigger.component.index);
    Account& account = watch->account(trigger.kind);
    std::vector<ObservationPayer*>& payers = account.payers;
    const bool is_last = payers.size() == 1;
    if (is_last) release(*watch, trigger.kind);
    // The last one of this payer: with another observer of the kind it keeps paying.
    auto leaving = std::find(payers.rbegin(), payers.rend(), payer);
    if (leaving == payers.rend()) leaving = std::find(payers.rbegin(), payers.rend(), nullptr);
    ECS_EXPECTS(leaving != payers.rend(), trigger.component.index);
    const bool has_paid = std::next(leaving) == payers.rend();
    const std::size_t paid = account.paid;
    if (has_paid) pay_back(account, paid);
    payers.erase(std::next(leaving).base());
    // The next observer pays for the current memory.
    if (has_paid && !is_last) pay_or_drop(*watch, trigger.kind, paid);
    if (!is_last) return false;
    const bool is_wanted = std::any_of(watch->accounts.begin(), watch->accounts.end(),
                                       [](const Account& other) { return !other.payers.empty(); });
    if (!is_wanted) std::erase_if(watches_, [&](const auto& other) { return other.get() == watch; });
    return true;
}

bool Observers::wants(Trigger trigger) const noexcept {
    const Watch* const watch = find(trigger.component);
    return watch != nullptr && watch->wants(trigger.kind);
}

std::vector<ComponentId> Observers::reported_of(std::span<const ComponentId> components) const {
    std::vector<ComponentId> reported;
    for (const ComponentId component : components) {
        const Watch* const watch = find(component);
        if (watch == nullptr) continue;
        const bool is_reported =
            watch->wants(Kind::changed) ||
            std::any_of(kReported.begin(), kReported.end(), [&](Kind kind) { return watch->wants(kind); });
        if (is_reported) reported.push_back(component);
    }
    return reported;
}

// ---- records ----

void Observers::add(Records& records, Entity entity, const std::byte* value, std::uint32_t bytes) {
    internal::reserve_more(records.entities, records.entities.size() + 1);
    if (value != nullptr) records.values.insert(records.values.end(), value, value + bytes);
    records.entities.push_back(entity);
}

void Observers::record(Trigger::Kind kind, ComponentId component, const Entity* entities, std::size_t count,
                       const std::byte* values, std::size_t stride) noexcept {
    Watch* const watch = find(component);
    if (watch == nullptr) return;
    // The comparison needs to know which rows are new.
    if (kind == Kind::added && watch->wants(Kind::changed)) {
        for (std::size_t row = 0; row < count; ++row) track_row(*watch, entities[row]);
    }
    if (!watch->wants(kind)) return;
    Records& records = watch->pending[number(kind)];
    const std::size_t row_bytes = sizeof(Entity) + (values == nullptr ? 0 : watch->value_bytes);
    internal::RecordRoom* const room = internal::t_record_room;
    if (room != nullptr && !room->take(count, count * row_bytes)) return;
    Account& account = watch->account(kind);
    if (!pay(account, count * row_bytes)) return lose(account, count);
    records.paid += count * row_bytes;
    std::size_t done = 0;
    try {
        for (; done < count; ++done) {
            const std::byte* const value = values == nullptr ? nullptr : values + done * stride;
            add(records, entities[done], value, watch->value_bytes);
        }
    } catch (const std::bad_alloc&) {
        lose(account, count - done);
    }
}

void Observers::empty(Account& account, Records& records) noexcept {
    internal::clear_keeping_room(records.entities);
    internal::clear_keeping_room(records.values);
    pay_back(account, std::exchange(records.paid, 0));
}

// Everything stored for one kind.
void Observers::release(Watch& watch, Kind kind) noexcept {
    empty(watch.account(kind), watch.pending[number(kind)]);
    empty(watch.account(kind), watch.published[number(kind)]);
    if (kind == Kind::changed) release_pages(watch);
}

// ---- payment ----

bool Observers::pay(Account& account, std::size_t bytes) noexcept {
    std::vector<ObservationPayer*>& payers = account.payers;
    ObservationPayer* const payer = payers.empty() ? nullptr : payers.front();
    bool is_paid = payer == nullptr || payer->hold(bytes);
    // Another observer takes over the whole account, so that it misses no record that it can pay for.
    for (std::size_t i = 1; !is_paid && i < payers.size(); ++i) {
        if (payers[i] == payer || (payers[i] != nullptr && !payers[i]->hold(account.paid + bytes))) continue;
        payer->release(account.paid);
        std::swap(payers.front(), payers[i]);
        is_paid = true;
    }
    if (is_paid) account.paid += bytes;
    return is_paid;
}

void Observers::pay_back(Account& account, std::size_t bytes) noexcept {
    account.paid -= bytes;
    if (!account.payers.empty() && account.payers.front() != nullptr) account.payers.front()->release(bytes);
}

std::size_t Observers::bytes_of(const Watch& watch, Kind kind) noexcept {
    const std::size_t records = watch.pending[number(kind)].paid + watch.published[number(kind)].paid;
    return records + (kind == Kind::changed ? watch.page_bytes : 0);
}

void Observers::lose(Account& account, std::size_t count) noexcept {
    account.lost_pending += count;
    lost_count_ += count;
}

// Pays for memory that is in use and not paid for, or releases it.
void Observers::pay_or_drop(Watch& watch, Kind kind, std::size_t bytes) noexcept {
    Account& account = watch.account(kind);
    if (pay(account, bytes)) return;
    account.paid = bytes;
    ObservationPayer* const payer = std::exchange(account.payers.front(), nullptr);
    release(watch, kind);
    account.payers.front() = payer;
    lose(account, 1);
}

void Observers::forget_payer(ObservationPayer* payer) noexcept {
    for (const WatchPtr& watch : watches_) {
        for (Account& account : watch->accounts)
            std::replace(account.payers.begin(), account.payers.end(), payer, {});
    }
}

std::uint64_t Observers::lost_count(Trigger trigger) const noexcept {
    const Watch* const watch = find(trigger.component);
    return watch == nullptr ? 0 : watch->account(trigger.kind).lost_published;
}

std::size_t Observers::byte_count() const noexcept {
    std::size_t bytes = 0;
    for (const WatchPtr& watch : watches_) {
        for (const Account& account : watch->accounts) bytes += account.paid;
    }
    return bytes;
}

void Observers::copy_all(World& world, ComponentId component) {
    Watch* const watch = find(component);
    ECS_EXPECTS(watch != nullptr, component.index);
    release_pages(*watch);
    compare(world, *watch);
    world.advance_change_version();
}

bool Observers::publish(World& world) {
    bool is_any = false;
    bool has_compared = false;
    for (const WatchPtr& watch : watches_) {
        if (watch->wants(Kind::changed)) {
            compare(world, *watch);
            has_compared = true;
        }
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            Account& account = watch->accounts[kind];
            account.lost_published = std::exchange(account.lost_pending, 0);
            std::swap(watch->pending[kind], watch->published[kind]);
            empty(account, watch->pending[kind]);
            is_any |= account.lost_published != 0;
            is_any |= !account.payers.empty() && !watch->published[kind].entities.empty();
        }
    }
    // Later writes get a separate version.
    if (has_compared) world.advance_change_version();
    return is_any;
}

std::size_t Observers::pending_count(Trigger trigger) const noexcept {
    const Watch* const watch = find(trigger.component);
    return watch == nullptr ? 0 : watch->pending[number(trigger.kind)].entities.size();
}

ObservedBatch Observers::batch(Trigger trigger) const noexcept {
    const Watch* const watch = find(trigger.component);
    if (watch == nullptr || !watch->wants(trigger.kind)) return {};
    const Records& records = watch->published[number(trigger.kind)];
    return {records.entities, records.values.empty() ? nullptr : records.values.data()};
}

void Observers::clear() noexcept {
    for (const WatchPtr& watch : watches_) {
        for (std::size_t kind = 0; kind < kKinds; ++kind) release(*watch, static_cast<Kind>(kind));
    }
}

// ---- another schema ----

Result<Observers::WatchPtr> Observers::converted(ComponentId component, const Convert& convert) const {
    const Watch* const old = find(component);
    if (old == nullptr) return WatchPtr();
    WatchPtr made(new Watch);
    const ComponentInfo& info = registry_.info(component);
    made->component = component;
    made->value_bytes = value_bytes(info.schema);
    made->accounts = old->accounts;
    made->parts = parts_of(info);
    made->compared = old->compared;
    made->page_rows = old->page_rows;
    const auto convert_records = [&](const Records& from, Records& to) -> Result<void> {
        to.entities = from.entities;
        to.paid = from.paid;
        if (made->value_bytes == 0 || (from.values.empty() && old->value_bytes != 0)) return {};
        to.values.resize(from.entities.size() * made->value_bytes);
        for (std::size_t i = 0; i < from.entities.size(); ++i) {
            const std::byte* const before = from.values.data() + i * old->value_bytes;
            if (Result<void> done = convert(before, to.values.data() + i * made->value_bytes); !done)
                return done;
        }
        return {};
    };
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        Result<void> done = convert_records(old->pending[kind], made->pending[kind]);
        if (done) done = convert_records(old->published[kind], made->published[kind]);
        if (!done) return done.error();
    }
    for (const std::unique_ptr<Page>& page : old->pages) {
        made->pages.push_back(page == nullptr ? nullptr
                                              : std::make_unique<Page>(made->page_rows, made->value_bytes));
        if (page == nullptr) continue;
        Page& copy = *made->pages.back();
        copy.used = page->used;
        made->page_bytes += bytes_of_page(*made);
        for (std::size_t row = 0; row < made->page_rows; ++row) {
            copy.owners[row] = page->owners[row];
            copy.is_copied[row] = page->is_copied[row];
            if (!page->is_copied[row]) continue;
            const std::byte* const before = page->values.get() + row * old->value_bytes;
            if (Result<void> done = convert(before, copy.values.get() + row * made->value_bytes); !done)
                return done.error();
        }
    }
    made->page_bytes += made->pages.capacity() * sizeof(made->pages.front());
    return made;
}

void Observers::exchange(WatchPtr& other) noexcept {
    if (other == nullptr) return;
    for (WatchPtr& watch : watches_) {
        if (watch->component != other->component) continue;
        for (Account& account : watch->accounts) pay_back(account, account.paid);
        watch.swap(other);
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            watch->accounts[kind].paid = 0;
            pay_or_drop(*watch, static_cast<Kind>(kind), bytes_of(*watch, static_cast<Kind>(kind)));
        }
        return;
    }
}

// ---- an earlier time ----

std::vector<Observers::WatchPtr> Observers::copies_of(const std::vector<WatchPtr>& watches) {
    std::vector<WatchPtr> copies;
    copies.reserve(watches.size());
    for (const WatchPtr& watch : watches) {
        WatchPtr made(new Watch);
        made->component = watch->component;
        made->value_bytes = watch->value_bytes;
        made->pending = watch->pending;
        made->published = watch->published;
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            made->accounts[kind].lost_pending = watch->accounts[kind].lost_pending;
            made->accounts[kind].lost_published = watch->accounts[kind].lost_published;
        }
        made->page_rows = watch->page_rows;
        made->page_bytes = watch->page_bytes;
        made->compared = watch->compared;
        made->parts = watch->parts;
        made->pages.reserve(watch->pages.capacity());
        made->pages.resize(watch->pages.size());
        for (std::size_t i = 0; i < watch->pages.size(); ++i) {
            const Page* const page = watch->pages[i].get();
            if (page == nullptr) continue;
            made->pages[i] = std::make_unique<Page>(watch->page_rows, watch->value_bytes);
            Page& copy = *made->pages[i];
            std::copy_n(page->owners.get(), watch->page_rows, copy.owners.get());
            std::copy_n(page->is_copied.get(), watch->page_rows, copy.is_copied.get());
            std::copy_n(page->values.get(), watch->page_rows * watch->value_bytes, copy.values.get());
            copy.used = page->used;
        }
        copies.push_back(std::move(made));
    }
    return copies;
}

void Observers::replace(std::vector<WatchPtr>& others) noexcept {
    for (WatchPtr& watch : watches_) {
        const auto other = std::find_if(others.begin(), others.end(), [&](const WatchPtr& candidate) {
            return candidate != nullptr && candidate->component == watch->component &&
                   candidate->value_bytes == watch->value_bytes;
        });
        if (other == others.end()) {
            for (std::size_t kind = 0; kind < kKinds; ++kind) release(*watch, static_cast<Kind>(kind));
            continue;
        }
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            Account &now = watch->accounts[kind], &then = (*other)->accounts[kind];
            const std::uint64_t lost_pending = then.lost_pending, lost_published = then.lost_published;
            pay_back(now, now.paid);
            std::swap(now, then);
            now.lost_pending = then.lost_pending = lost_pending;
            now.lost_published = then.lost_published = lost_published;
        }
        watch.swap(*other);
        for (std::size_t number = 0; number < kKinds; ++number) {
            const Kind kind = static_cast<Kind>(number);
            const std::size_t bytes = bytes_of(*watch, kind);
            watch->accounts[number].paid = watch->wants(kind) ? 0 : bytes;
            if (watch->wants(kind)) {
                pay_or_drop(*watch, kind, bytes);
            } else {
                release(*watch, kind);
            }
        }
    }
}

// Adjacent fields are one range.
std::vector<std::pair<std::uint32_t, std::uint32_t>> Observers::parts_of(const ComponentInfo& info) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
    for (const Leaf& leaf : info.leaves) {
        if (!parts.empty() && parts.back().first + parts.back().second == leaf.offset) {
            parts.back().second += leaf.size;
        } else {
            parts.emplace_back(leaf.offset, leaf.size);
        }
    }
    return parts;
}

// ---- the copies ----

// Each row pays for two records of a change: the current one and a pending one.
std::size_t Observers::bytes_of_page(const Watch& watch) noexcept {
    constexpr std::size_t kCopies = 3;
    return sizeof(Page) + watch.page_rows * (kCopies * (sizeof(Entity) + watch.value_bytes) + sizeof(bool));
}

// Adds a new row: it has space for its copy and no previous value, even if the entity had the component
// before.
void Observers::track_row(Watch& watch, Entity entity) noexcept {
    const std::size_t number = entity.index() / watch.page_rows, row = entity.index() % watch.page_rows;
    if (number >= watch.pages.size() || watch.pages[number] == nullptr) {
        const std::size_t room = watch.pages.capacity();
        const std::size_t table = number < room ? room : std::max(number + 1, 2 * room);
        const std::size_t bytes = (table - room) * sizeof(watch.pages.front()) + bytes_of_page(watch);
        Account& account = watch.account(Kind::changed);
        if (!pay(account, bytes)) return lose(account, 1);
        try {
            auto page = std::make_unique<Page>(watch.page_rows, watch.value_bytes);
            watch.pages.reserve(table);
            if (number >= watch.pages.size()) watch.pages.resize(number + 1);
            watch.pages[number] = std::move(page);
        } catch (const std::bad_alloc&) {
            pay_back(account, bytes);
            return lose(account, 1);
        }
        watch.page_bytes += bytes;
    }
    Page& page = *watch.pages[number];
    if (!page.owners[row]) ++page.used;
    page.owners[row] = entity;
    page.is_copied[row] = false;
}

void Observers::release_copy(Watch& watch, Entity entity) noexcept {
    const std::size_t number = entity.index() / watch.page_rows, row = entity.index() % watch.page_rows;
    Page* const page = number < watch.pages.size() ? watch.pages[number].get() : nullptr;
    if (page == nullptr || page->owners[row] != entity) return;
    page->owners[row] = Entity{};
    page->is_copied[row] = false;
    if (--page->used != 0) return;
    watch.pages[number].reset();
    watch.page_bytes -= bytes_of_page(watch);
    pay_back(watch.account(Kind::changed), bytes_of_page(watch));
}

void Observers::release_copies(ComponentId component, const Entity* entities, std::size_t count) noexcept {
    Watch* const watch = find(component);
    if (watch == nullptr || !watch->wants(Kind::changed)) return;
    for (std::size_t row = 0; row < count; ++row) release_copy(*watch, entities[row]);
}

void Observers::release_pages(Watch& watch) noexcept {
    std::vector<std::unique_ptr<Page>>().swap(watch.pages);
    pay_back(watch.account(Kind::changed), std::exchange(watch.page_bytes, 0));
    watch.compared = 0;
}

// ---- comparing ----

// Checks the chunks written since the last time. The first time, all rows are new.
void Observers::compare(World& world, Watch& watch) {
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        const int column = archetype.column_of(watch.component);
        if (column < 0) continue;
        const Column& cells = archetype.layout().columns[static_cast<std::size_t>(column)];
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            if (archetype.version(chunk, static_cast<std::uint32_t>(column)) <= watch.compared) continue;
            const ChunkSlot& slot = archetype.chunks()[chunk];
            const Entity* const entities = Archetype::entities(slot);
            for (std::uint32_t row = 0; watch.compared == 0 && row < slot.row_count; ++row)
                track_row(watch, entities[row]);
            compare_chunk(watch, entities, Archetype::cell(slot, cells, 0), slot.row_count);
        }
    }
    watch.compared = world.change_version();
}

void Observers::compare_chunk(Watch& watch, const Entity* entities, const std::byte* cells,
                              std::uint32_t count) noexcept {
    const std::uint32_t bytes = watch.value_bytes;
    const auto shift = static_cast<unsigned>(std::countr_zero(watch.page_rows));
    for (std::uint32_t i = 0; i < count; ++i, cells += bytes) {
        const std::size_t place = entities[i].index() >> shift;
        Page* const page = place < watch.pages.size() ? watch.pages[place].get() : nullptr;
        const std::size_t row = entities[i].index() & (watch.page_rows - 1);
        if (page == nullptr || page->owners[row] != entities[i]) continue;
        std::byte* const copy = page->values.get() + row * bytes;
        if (page->is_copied[row]) {
            const bool is_same = std::all_of(watch.parts.begin(), watch.parts.end(), [&](const auto& part) {
                return std::memcmp(copy + part.first, cells + part.first, part.second) == 0;
            });
            if (is_same) continue;
            try {
                add(watch.pending[number(Kind::changed)], entities[i], copy, bytes);
            } catch (const std::bad_alloc&) {
                lose(watch.account(Kind::changed), 1);
            }
        }
        page->is_copied[row] = true;
        std::memcpy(copy, cells, bytes);
    }
}

}  // namespace perigee
