// Which types are needed is found from the values on: through requirements, blob fields and their elements.
#include "ecs/save/internal/absent_types.h"

#include "ecs/base/error_codes.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/world.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <typeinfo>

namespace perigee::internal {

namespace {

using Names = std::set<std::string_view>;

void add_blob_types(const std::vector<Field>& fields, Names& names) {
    for (const Field& field : fields) {
        add_blob_types(field.nested, names);
        if (field.type == FieldType::blob && !field.labels.empty()) names.insert(field.labels[0]);
    }
}

// A type may refer to earlier ones and, in a blob, to later ones.
Names needed_types(const World& world, const SavedHead& head,
                   const std::function<bool(const Schema&)>& keep) {
    Names needed;
    for (const SavedHead::Type& type : head.types)
        if (type.has_values && !world.registry().find(type.schema.name) && keep(type.schema))
            needed.insert(type.schema.name);
    for (std::size_t before = 0; before != needed.size();) {
        before = needed.size();
        for (const SavedHead::Type& type : head.types) {
            if (!needed.contains(type.schema.name) || world.registry().find(type.schema.name)) continue;
            needed.insert(type.schema.required.begin(), type.schema.required.end());
            add_blob_types(type.schema.fields, needed);
        }
    }
    return needed;
}

// An object is the text in which it was saved.
ObjectCopies bytes_as_objects() {
    const auto same = [](const std::shared_ptr<void>& object) -> Result<std::shared_ptr<void>> {
        return object;
    };
    ObjectCopies copies{same, same};
    copies.write = [](const std::shared_ptr<void>& kept) {
        return *static_cast<const std::string*>(kept.get());
    };
    copies.read = [](std::string_view bytes) -> Result<KeptObject> {
        return KeptObject{std::make_shared<std::string>(bytes), &typeid(std::string)};
    };
    copies.type = &typeid(std::string);
    return copies;
}

}  // namespace

Result<void> declare_absent_types(World& world, const SavedHead& head,
                                  const std::function<bool(const Schema&)>& keep) {
    const Names needed = needed_types(world, head, keep);
    for (const SavedHead::Type& type : head.types) {
        const Schema& schema = type.schema;
        if (!needed.contains(schema.name) || world.registry().find(schema.name)) continue;
        const Result<ComponentId> declared = world.declare(schema);
        if (!declared) return Error{errors::save_does_not_fit(declared.error().message)};
        if (type.has_objects) world.objects().set_copies(declared.value(), bytes_as_objects());
    }
    return {};
}

}  // namespace perigee::internal
