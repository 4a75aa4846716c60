// The declaration of a type as bytes, so that a saved world says what its values mean.
//
// Invariant: a schema that was read has the layout and the hash of the one that was written, or it is not
// accepted. What is for messages and tools alone (docs, units, ranges, places in files) is left out.
#pragma once

#include "ecs/base/internal/byte_stream.h"
#include "ecs/base/result.h"
#include "ecs/schema/schema.h"

namespace perigee::internal {

/// Throws std::bad_alloc.
void write_schema(ByteWriter& to, const Schema& schema);

/// A schema without layout, for layout_schema or World::declare. Fails the reader if the bytes are no schema.
/// Throws std::bad_alloc.
Schema read_schema(ByteReader& from);

/// A number that is equal for two types of one name whose values consist of the same bytes. Expects: laid
/// out.
std::uint64_t value_layout_hash(const Schema& schema);

}  // namespace perigee::internal
