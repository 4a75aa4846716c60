// Questions to a Provenance, and their answers as text: for `perigee why` and the console.
//
//     ProvenanceQuestion question;
//     question.entity = "1234";
//     question.values = "Health.current";
//     watched_by(question).value();              // what a Provenance has to watch for it
//     print(answer_to(question, provenance, session).value());
//
// Invariant: an answer names each write with step, system, place in the source, and the values before and
// after. Not here: watching (provenance.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/session/provenance.h"

#include <cstddef>
#include <string>

namespace perigee {

class ComponentRegistry;
class GameSession;

struct ProvenanceQuestion {
    /// "1234": the newest entity of this index; "1234:2": of this index and generation; the number that a
    /// script prints. Empty: `values` is of a resource.
    std::string entity;
    /// "Health", "Health.current", "Body.velocity.x"; empty: all components of the entity.
    std::string values;
    std::size_t last = 10;  ///< so many writes
};

/// Errors: no entity and no resource are named; the entity is no number.
Result<WatchedValues> watched_by(const ProvenanceQuestion& question);

/// Errors: an unknown component or field, with a suggestion; a resource with an entity, and a component
/// without one.
Result<void> check_question(const ProvenanceQuestion& question, const ComponentRegistry& registry);

/// Shape: lines, each ended by \n. Errors: those of check_question; nothing is known of the entity.
Result<std::string> answer_to(const ProvenanceQuestion& question, Provenance& provenance,
                              GameSession& session);

}  // namespace perigee
