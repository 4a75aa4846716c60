// Slots and their objects. An object's destructor may call back into the store, so each object is moved out
// of its entry before it is destroyed.
#include "ecs/storage/object_store.h"

#include "ecs/base/contract.h"

#include <utility>

namespace perigee {

ObjectStore::ObjectStore() : entries_(1) {}

const ObjectStore::Entry& ObjectStore::entry(ObjectSlot slot) const {
    ECS_EXPECTS(slot < entries_.size() && (slot == 0 || entries_[slot].is_in_use), slot);
    return entries_[slot];
}

void ObjectStore::assign(ObjectSlot& slot, std::shared_ptr<void> object, ObjectOwner owner,
                         const std::type_info* type) {
    if (object == nullptr) {
        release(std::exchange(slot, 0));
        return;
    }
    if (slot == 0) {
        if (free_.empty()) {
            if (free_.capacity() <= entries_.size()) free_.reserve(entries_.size() * 2);
            entries_.emplace_back();
            slot = static_cast<ObjectSlot>(entries_.size() - 1);
        } else {
            slot = free_.back();
            free_.pop_back();
        }
        entries_[slot].is_in_use = true;
    }
    static_cast<void>(entry(slot));
    Entry& place = entries_[slot];
    place.owner = owner;
    place.type = type;
    place.object.swap(object);
}

ObjectSlot ObjectStore::share(ObjectSlot slot) {
    const Entry original = entry(slot);
    ObjectSlot copy = 0;
    assign(copy, original.object, original.owner, original.type);
    return copy;
}

void ObjectStore::release(ObjectSlot slot) noexcept {
    if (slot == 0) return;
    static_cast<void>(entry(slot));
    const Entry dead = std::exchange(entries_[slot], Entry{});
    free_.push_back(slot);
}

void ObjectStore::release_owner(ObjectOwner owner) noexcept {
    for (std::size_t slot = 1; slot < entries_.size(); ++slot) {
        if (!entries_[slot].is_in_use || entries_[slot].owner != owner) continue;
        const std::shared_ptr<void> dead = std::move(entries_[slot].object);
    }
}

void ObjectStore::set_hash(ComponentId component, ObjectHash hash) {
    if (hash) {
        hashes_[component] = std::move(hash);
    } else {
        hashes_.erase(component);
    }
}

const ObjectHash* ObjectStore::hash(ComponentId component) const noexcept {
    const auto found = hashes_.find(component);
    return found == hashes_.end() ? nullptr : &found->second;
}

void ObjectStore::set_copies(ComponentId component, ObjectCopies copies) {
    if (!copies.keep && !copies.restore && !copies.write) {
        copies_.erase(component);
        return;
    }
    ECS_EXPECTS(copies.keep && copies.restore && !copies.write == !copies.read, component.index);
    copies_[component] = std::move(copies);
}

const ObjectCopies* ObjectStore::copies(ComponentId component) const noexcept {
    const auto found = copies_.find(component);
    return found == copies_.end() ? nullptr : &found->second;
}

}  // namespace perigee
