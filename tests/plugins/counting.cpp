// A plugin in C++: its functions are noexcept by the types of the interface, so no exception can
// leave them.
#include "perigee/engine/plugin/plugin_abi.h"

#include <type_traits>

namespace {

struct Counter {
    uint32_t runs;
};

int count(PerigeeContext* context, void* user) noexcept {
    auto* const counter =
        static_cast<Counter*>(context->host->resource(context, *static_cast<PerigeeComponent*>(user)));
    if (counter == nullptr) return PERIGEE_FAILED;
    ++counter->runs;
    return PERIGEE_OK;
}

using ThrowingCall = int (*)(PerigeeContext*, void*);
static_assert(!std::is_convertible_v<ThrowingCall, PerigeeCall>);
static_assert(std::is_convertible_v<decltype(&count), PerigeeCall>);

}  // namespace

PERIGEE_PLUGIN(host, plugin) {
    const PerigeeField fields[] = {{"runs", PERIGEE_U32, 0, 0}};
    const PerigeeStruct type{"Counter", PERIGEE_RESOURCE, sizeof(Counter), fields, 1};
    plugin->user = new PerigeeComponent(host->declare(host, &type));
    plugin->unload = [](void* user) noexcept { delete static_cast<PerigeeComponent*>(user); };
    const PerigeeTerm terms[] = {{*static_cast<PerigeeComponent*>(plugin->user), PERIGEE_ALSO_WRITE}};
    PerigeeSystem system{};
    system.name = "counting:count";
    system.terms = terms;
    system.term_count = 1;
    system.user = plugin->user;
    system.run = &count;
    return host->add_system(host, &system);
}
