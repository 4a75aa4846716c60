// Lists in the declaration of a blob, as types of their own.
//
//     Tree { value f32, children list of blob(Tree) }    becomes
//     Tree.children { value blob(Tree) }                 an element type, a blob of shape `values`
//     Tree { value f32, children blob(Tree.children) }
//
// So a list is a blob that its blob refers to. All parts of a blob are built, shared by content, saved and
// freed like any other blob, and a row has the size of its type. A list of structs is a blob of rows with the
// struct's fields.
// Invariant: an element type is named after its blob and the path of its field, and is declared first.
// Not here: building blobs (blob_store.h).
#pragma once

#include "ecs/schema/schema.h"

#include <string_view>
#include <vector>

namespace perigee {

/// The schemas to declare, in this order: those of the elements of all lists, and last the schema itself,
/// which refers to them. A schema of another kind, or one that was treated before, is returned as it is.
std::vector<Schema> with_element_types(Schema schema);

/// Fills in Field::is_list of a schema that comes from a file, which does not store it: a field is a list if
/// it refers to the type of its own elements. Expects: the schema was treated by with_element_types.
void mark_lists(Schema& schema);

/// True if `part` is the blob type `whole` itself, or the type of elements in it.
bool is_part_of_blob(std::string_view part, std::string_view whole) noexcept;

}  // namespace perigee
