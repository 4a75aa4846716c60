// Events from one system to another: scripts against the same systems in C++. One tick is a send of all, the
// delivery, and a read of all.
#include "bench/support/harness.h"
#include "ecs/events/system_events.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/world.h"
#include "scripting/base/file_source.h"
#include "scripting/mods/runtime.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace perigee::bench {
namespace {

constexpr std::size_t kEvents = 10'000;

struct Hit {
    Entity target;
    float amount = 0;
};

// Ticks of the group `simulation`, whose systems send and read kEvents events.
class Game {
public:
    Game() : schedule_(world_) {
        world_.declare_event<Hit>("Hit", field("target", &Hit::target), field("amount", &Hit::amount))
            .value();
    }
    World& world() noexcept { return world_; }
    Schedule& schedule() noexcept { return schedule_; }
    void step() {
        ++time_.tick;
        schedule_.run_group(kSimulation, time_).value();
        // A benchmark of a failing system would be wrong.
        if (world_.events().kept(world_.id<Hit>()).count < kEvents) std::abort();
    }

private:
    World world_;
    Schedule schedule_;
    TickTime time_;
};

class LuaEvents : public Game {
public:
    explicit LuaEvents(const char* send)
        : files_({{"main.lua", std::string(R"(
local ecs = require "ecs"
local C = ecs.components
local sum = 0
ecs.system("read", { access = { read = { C.Hit } }, run = function(_, ctx)
  local events = ctx:events(C.Hit)
  for i = 1, events.count do
    if events.target[i] ~= 5 then sum = sum + events.amount[i] end
  end
end })
)") + send}}),
          runtime_(world(), schedule(), ScriptRuntimeConfig{}) {
        ModConfig config;
        config.files = &files_;
        for (const ScriptError& error : runtime_.load(std::move(config))) {
            std::fprintf(stderr, "bench: %s\n", error.text().c_str());
            std::abort();
        }
    }

private:
    MemorySource files_;
    ScriptRuntime runtime_;
};

constexpr const char* kSendMany = R"(
ecs.system("send", { access = { write = { C.Hit } }, run = function(_, ctx)
  local out = ctx:send_many(C.Hit, 10000)
  for i = 1, out.count do
    out.target[i] = 2097153
    out.amount[i] = i
  end
end }))";

constexpr const char* kSendOne = R"(
ecs.system("send", { access = { write = { C.Hit } }, run = function(_, ctx)
  for i = 1, 10000 do ctx:send(C.Hit, { target = 2097153, amount = i }) end
end }))";

struct CppEvents : Game {
    CppEvents() {
        SystemDesc send;
        send.name = "send";
        send.access.write = {world().id<Hit>()};
        send.run = [](SystemContext& context) -> Result<void> {
            for (std::size_t i = 0; i < kEvents; ++i) {
                context.events.send(Hit{entity_from_parts(1, 1), static_cast<float>(i)});
            }
            return {};
        };
        schedule().add(std::move(send)).value();
        SystemDesc read;
        read.name = "read";
        read.access.read = {world().id<Hit>()};
        read.run = [this](SystemContext& context) -> Result<void> {
            for (const Hit& hit : context.events.read<Hit>()) sum += hit.amount;
            keep(sum);
            return {};
        };
        schedule().add(std::move(read)).value();
    }
    double sum = 0;
};

template <typename State> Sample ticks(std::shared_ptr<State> state) {
    return [=](const Effort& effort) { return time_loop(effort, kEvents, [&] { state->step(); }); };
}

}  // namespace

std::vector<Case> event_cases() {
    std::vector<Case> cases;
    const auto add = [&](const char* row, const char* send) {
        cases.push_back(Case{
            row, kEvents, "lua", "the same two systems in C++", [=] {
                return Sides{ticks(std::make_shared<LuaEvents>(send)), ticks(std::make_shared<CppEvents>())};
            }});
    };
    add("events sent as columns, delivered and read", kSendMany);
    add("events sent one by one, delivered and read", kSendOne);
    return cases;
}

}  // namespace perigee::bench
