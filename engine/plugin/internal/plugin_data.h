// The functions of plugin_abi.h since version 2: events and buffers.
//
// Invariant: as in plugin_host.h: no exception leaves a function here, and wrong arguments fail the run with
// a message. plugin_abi.h documents each function.
#pragma once

#include "engine/plugin/plugin_abi.h"

#include <cstdint>

namespace perigee::internal {

const void* read_plugin_events(PerigeeContext* self, PerigeeComponent event, std::uint32_t* count) noexcept;
void send_plugin_event(PerigeeContext* self, PerigeeComponent event, const void* value) noexcept;

const void* read_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                               std::uint32_t* length) noexcept;
void* edit_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                         std::uint32_t* length) noexcept;
int push_to_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                          const void* element) noexcept;
int resize_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                         std::uint32_t length) noexcept;
void add_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                       const void* elements, std::uint32_t count) noexcept;

}  // namespace perigee::internal
