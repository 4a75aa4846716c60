// Lists the chunks of a visit.
#include "ecs/parallel/parallel_query.h"

namespace perigee {

ChunkList::ChunkList(const Query& query, ChangeVersion version, ChangeVersion since) {
    std::size_t chunks = 0;
    for (const QueryMatch& match : query.matches()) chunks += match.archetype->chunk_count();
    views_.reserve(chunks);
    query.visit_chunks(version, since, [this](const ChunkView& view) {
        views_.push_back(view);
        row_count_ += view.enabled_count();
    });
}

}  // namespace perigee
