// Stores the objects that object components refer to: things outside chunk memory, such as a Lua value or a
// resource of the host.
//
// Invariant: slot 0 is nil. A slot belongs to one cell, from add to release; several slots may share one
// object (a cloned row does). Each slot has an owner, a mod or the host; when the owner is removed, its slots
// become empty but stay valid. For the main thread only: there are no locks.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace perigee {

/// Index of an object in the store, stored in the cell of an object component. 0 is nil.
using ObjectSlot = std::uint32_t;

/// The owner of an object. 0: the host program.
using ObjectOwner = std::uint32_t;

/// Computes an object's contribution to the world hash.
using ObjectHash = std::function<std::uint64_t(const std::shared_ptr<void>& object)>;

/// A copy of an object in a snapshot; null where it was nil.
struct KeptObject {
    std::shared_ptr<void> kept;
    const std::type_info* type = nullptr;  ///< of the object
    ObjectOwner owner = 0;
};

/// How the objects of a component get into a snapshot and back, and into a file.
struct ObjectCopies {
    using Copy = std::function<Result<std::shared_ptr<void>>(const std::shared_ptr<void>& object)>;
    /// Makes an independent copy, which may be of another type. It must not refer to anything that may end
    /// before the snapshot, such as a Lua state. Null: the object is nil in the snapshot. Errors: the object
    /// cannot be copied.
    Copy keep;
    /// Makes an object from such a copy, which stays as it is. Null: nil. Errors: the object cannot exist any
    /// more.
    Copy restore;
    /// The bytes of a copy for a file, and the copy of such bytes. Both or none; without them a world with an
    /// object cannot be saved. Errors of `read`, which gets any bytes: they are not those of a copy.
    std::function<std::string(const std::shared_ptr<void>& kept)> write = {};
    std::function<Result<KeptObject>(std::string_view bytes)> read = {};
    /// If given, only objects of this type are copied; others are errors.
    const std::type_info* type = nullptr;
};

class ObjectStore {
public:
    ObjectStore();
    ObjectStore(const ObjectStore&) = delete;
    ObjectStore& operator=(const ObjectStore&) = delete;

    /// Makes `slot` refer to `object`, in a new slot if it was nil. A null object frees the slot and makes it
    /// nil. get() compares `type`; null if the type does not matter.
    void assign(ObjectSlot& slot, std::shared_ptr<void> object, ObjectOwner owner = 0,
                const std::type_info* type = nullptr);

    /// A new slot for the same object; nil for an empty slot.
    ObjectSlot share(ObjectSlot slot);

    /// Frees the slot; its object lives on as long as others refer to it. Nil is allowed.
    void release(ObjectSlot slot) noexcept;

    /// The object; null for nil and when the owner was removed. Expects: slot is in use, or nil.
    const std::shared_ptr<void>& get(ObjectSlot slot) const { return entry(slot).object; }
    ObjectOwner owner(ObjectSlot slot) const { return entry(slot).owner; }
    const std::type_info* type(ObjectSlot slot) const { return entry(slot).type; }

    /// Releases all objects of one owner; their slots become empty.
    void release_owner(ObjectOwner owner) noexcept;

    /// Without a hash function the component is not part of the world hash. An empty function removes it.
    void set_hash(ComponentId component, ObjectHash hash);
    /// Null when there is none.
    const ObjectHash* hash(ComponentId component) const noexcept;

    /// Without them, a world with an object of the component cannot be kept in a snapshot. Expects: `keep`
    /// and `restore` are set, or no function, which removes them.
    void set_copies(ComponentId component, ObjectCopies copies);
    /// Null when there are none.
    const ObjectCopies* copies(ComponentId component) const noexcept;

    std::size_t slots_in_use() const noexcept { return entries_.size() - 1 - free_.size(); }

private:
    struct Entry {
        std::shared_ptr<void> object;
        const std::type_info* type = nullptr;
        ObjectOwner owner = 0;
        bool is_in_use = false;
    };

    const Entry& entry(ObjectSlot slot) const;

    std::vector<Entry> entries_;    ///< by slot; the first is nil
    std::vector<ObjectSlot> free_;  ///< capacity for all slots, so that release needs no memory
    std::map<ComponentId, ObjectHash> hashes_;
    std::map<ComponentId, ObjectCopies> copies_;
};

}  // namespace perigee
