// Numbers of jobs, and which of them are open.
#include "scripting/mods/script_jobs.h"

#include "ecs/schedule/named_jobs.h"
#include "scripting/base/error_codes.h"

#include <fmt/format.h>

#include <exception>

namespace perigee {

void ScriptJobs::restart() noexcept {
    started_.clear();
    open_count_ = 0;
}

Result<std::uint32_t> ScriptJobs::start(std::string_view name, const SystemContext& context,
                                        std::span<const std::uint32_t> after) {
    if (started_.size() == kMaxPerRun) return Error{fmt::format(messages::kTooManyJobs, kMaxPerRun)};
    std::vector<JobHandle> handles;
    for (const std::uint32_t number : after) handles.push_back(started_[number - 1].handle);
    started_.push_back({{}, {after.begin(), after.end()}, false});
    const Result<JobHandle> job = NamedJobs::of(context.world).start(name, context, handles);
    if (!job) {
        started_.pop_back();
        return job.error();
    }
    started_.back().handle = job.value();
    started_.back().is_open = true;
    ++open_count_;
    return static_cast<std::uint32_t>(started_.size());
}

// Jobs run after jobs with lower numbers only.
void ScriptJobs::close(std::uint32_t number) {
    std::vector<std::uint32_t> waited{number};
    while (!waited.empty()) {
        Started& job = started_[waited.back() - 1];
        waited.pop_back();
        if (!job.is_open) continue;
        job.is_open = false;
        --open_count_;
        waited.insert(waited.end(), job.after.begin(), job.after.end());
    }
}

Result<void> ScriptJobs::wait(std::uint32_t number, const SystemContext& context) {
    try {
        if (number != 0) {
            context.jobs->complete(started_[number - 1].handle);
            close(number);
            return {};
        }
        for (std::uint32_t i = 1; i <= started_.size(); ++i) {
            context.jobs->complete(started_[i - 1].handle);
            close(i);
        }
    } catch (const std::exception& exception) {
        return Error{exception.what()};
    }
    return {};
}

}  // namespace perigee
