// Switching systems and groups on and off while the game runs, and running groups on request.
#include "ecs/schedule/schedule.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Names = std::vector<std::string>;

// Random switches and requests, made by a system through its commands and by the host, against a model.
class Switches {
public:
    explicit Switches(std::uint32_t seed) : random_(seed), world_(tiny_chunks()), schedule_(world_, seed) {
        for (int i = 0; i < 4; ++i) {
            const std::string name = "g" + std::to_string(i);
            const std::string parent =
                i == 0 || random_() % 2 == 0 ? "simulation" : "g" + std::to_string(i - 1);
            const bool is_on = random_() % 3 != 0;
            schedule_.add_group({.name = name, .group = parent, .is_enabled = is_on}).value();
            parents_[name] = parent;
            is_on_[name] = is_on;
        }
        for (int i = 0; i < 8; ++i) {
            SystemDesc desc;
            desc.name = "s" + std::to_string(i);
            desc.group = random_() % 4 == 0 ? "simulation" : "g" + std::to_string(random_() % 4);
            desc.is_enabled = random_() % 4 != 0;
            desc.run = [this, name = desc.name](SystemContext& context) -> Result<void> {
                log_.push_back(name);
                if (name == "s0") act(context);
                return {};
            };
            desc.on_start = [this, name = desc.name](SystemContext&) -> Result<void> {
                CHECK_FALSE(std::exchange(is_started_[name], true));
                return {};
            };
            desc.on_stop = [this, name = desc.name](SystemContext&) -> Result<void> {
                CHECK(std::exchange(is_started_[name], false));
                return {};
            };
            parents_[desc.name] = desc.group;
            is_on_[desc.name] = desc.is_enabled;
            schedule_.add(desc).value();
        }
        makes_requests_ = seed % 2 == 0;
        schedule_.set_enabled(*schedule_.find("s0"), true);
        is_on_["s0"] = true;
    }

    void check_step() {
        log_.clear();
        Names expected;
        const std::map<std::string, bool> before = is_on_;
        const Names requested = std::exchange(requested_, {});
        schedule_.run_group(kSimulation, {1.0, tick_++, 0, 1}).value();
        // Switches are commands of s0, which runs in one group; until then the old state counts.
        const std::function<void(const std::string&, const std::map<std::string, bool>&)> add =
            [&](const std::string& group, const std::map<std::string, bool>& is_on) {
                for (const std::string& member : schedule_.order(group)) {
                    if (!is_on.at(member)) continue;
                    member[0] == 'g' ? add(member, is_on) : expected.push_back(member);
                }
            };
        if (has_acted_) return;  // its step has two states; the steps after it are compared
        add("simulation", before);
        for (const std::string& group : requested) add(group, before);
        CHECK(log_ == expected);
        for (const auto& [name, is_on] : is_on_) {
            CHECK(schedule_.status(*schedule_.find(name)).is_enabled == is_on);
            bool is_active = true;
            for (std::string at = name; at != "simulation"; at = parents_[at]) is_active &= is_on_[at];
            CHECK(schedule_.is_active(*schedule_.find(name)) == is_active);
            // What does not run any more has been stopped, except for what started on request.
            if (name[0] == 's' && !is_active && !makes_requests_) CHECK_FALSE(is_started_[name]);
        }
    }

    void act_from_outside() {
        const std::string name = any_name();
        is_on_[name] = random_() % 2 == 0;
        schedule_.set_enabled(*schedule_.find(name), is_on_[name]);
        if (makes_requests_ && random_() % 3 == 0) {
            const std::string group = "g" + std::to_string(random_() % 4);
            for (int i = 0; i < 2; ++i) schedule_.run_later(*schedule_.find(group));
            requested_ = {group};
        }
        has_acted_ = false;
    }
    void act_next() { acts_ = 3; }

private:
    std::string any_name() {
        return random_() % 2 == 0 ? "g" + std::to_string(random_() % 4)
                                  : "s" + std::to_string(1 + random_() % 7);
    }
    void act(SystemContext& context) {
        has_acted_ |= acts_ > 0;
        for (; acts_ > 0; --acts_) {
            const std::string name = any_name();
            const bool is_on = random_() % 2 == 0;
            context.commands.call([this, name, is_on](World&) {
                is_on_[name] = is_on;
                schedule_.set_enabled(*schedule_.find(name), is_on);
                return true;
            });
        }
    }

    std::mt19937 random_;
    World world_;
    std::map<std::string, std::string> parents_;
    std::map<std::string, bool> is_on_, is_started_;
    Names log_, requested_;
    std::uint64_t tick_ = 0;
    int acts_ = 0;
    bool has_acted_ = false;
    bool makes_requests_ = false;
    Schedule schedule_;  // last: its systems stop when it is destroyed
};

TEST_CASE("[Q8] systems and groups are switched at random, and what runs is what a model says") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        INFO("seed " << seed);
        Switches switches(seed);
        for (int step = 0; step < 12; ++step) {
            switches.act_from_outside();
            switches.check_step();
            switches.act_next();
            switches.check_step();
            switches.act_from_outside();
            switches.check_step();
        }
    }
}

struct Two {
    Two() : world(tiny_chunks()), schedule(world, 1) {
        schedule.add_group({.name = "extra", .is_enabled = false}).value();
        add("a", "simulation");
        add("b", "extra");
    }
    void add(const std::string& name, const std::string& group) {
        SystemDesc desc;
        desc.name = name;
        desc.group = group;
        desc.run = [this, name](SystemContext& context) -> Result<void> {
            ran.push_back(name);
            if (on_run) on_run(context, name);
            return {};
        };
        schedule.add(desc).value();
    }
    Names run(std::string_view group = kSimulation) {
        ran.clear();
        schedule.run_group(group, {1.0, tick++, 0, 1}).value();
        return ran;
    }

    World world;
    Schedule schedule;
    Names ran;
    std::function<void(SystemContext&, const std::string&)> on_run;
    std::uint64_t tick = 0;
};

TEST_CASE("[Q8] a disabled group runs on request, once, after the group that runs") {
    Two t;
    CHECK(t.run() == Names{"a"});
    t.schedule.run_later(*t.schedule.find("extra"));
    CHECK(t.run(kPresentation).empty());
    CHECK(t.run() == Names{"a", "b"});
    CHECK(t.run() == Names{"a"});
    const ContractWatch watch;
    CHECK_THROWS_AS(t.schedule.run_later(*t.schedule.find("a")), BrokenContract);
    CHECK_THROWS_AS(t.schedule.run_later(*t.schedule.find("presentation")), BrokenContract);
}

TEST_CASE("[Q8] however often a group is requested, also by itself, it runs once more in a step") {
    Two t;
    t.on_run = [&](SystemContext& context, const std::string&) {
        CHECK(t.schedule.is_running());
        context.commands.call([&](World&) {
            t.schedule.run_later(*t.schedule.find("extra"));
            return true;
        });
    };
    CHECK(t.run() == Names{"a", "b"});
    CHECK(t.run() == Names{"a", "b"});
    CHECK(t.run() == Names{"a", "b"});
    CHECK(t.schedule.last_time().tick == 2);
}

TEST_CASE("[Q8] what the host leaves out does not run, however its switch is set") {
    Two t;
    const SystemId a = *t.schedule.find("a");
    t.schedule.leave_out(a, true);
    t.schedule.set_enabled(a, true);
    CHECK_FALSE(t.schedule.is_active(a));
    CHECK(t.run().empty());
    t.schedule.set_enabled(a, false);
    t.schedule.leave_out(a, false);
    CHECK(t.run().empty());
    t.schedule.set_enabled(a, true);
    CHECK(t.schedule.is_active(a));
    CHECK(t.run() == Names{"a"});
}

TEST_CASE("[Q8] a switch survives renew and replace, and the declaration counts only at the start") {
    Two t;
    const SystemId a = *t.schedule.find("a");
    t.schedule.set_enabled(a, false);
    SystemDesc desc = t.schedule.description(a);
    t.schedule.renew(a, desc).value();
    CHECK(t.run().empty());
    t.schedule.replace(a, desc).value();
    CHECK(t.run().empty());
    t.schedule.set_enabled(a, true);
    desc.is_enabled = false;
    t.schedule.renew(a, desc).value();
    CHECK(t.run() == Names{"a"});
}

}  // namespace
}  // namespace perigee
