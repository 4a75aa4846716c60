-- Jobs: work in C++ that a system starts and waits for, ctx:start_job("flow field", after…), job:wait().
-- Invariant: a job is open until the system has waited for it, or for one that runs after it. While a job is open, the
-- world is closed: C++ ends the epoch of the run, which everything from ctx compares, and begins another one later.
-- Not here: what a job is and who declares it (ecs/schedule/named_jobs.h).
local need = ...
local host, fail, order = need "host", need "fail", need "order"
local spend = need "fuel".spend
local type, format, select, setmetatable, unpack = type, string.format, select, setmetatable, unpack

local job = {}

-- Steps of fuel: a job takes memory, and time of threads, that are not counted elsewhere.
local kStepsPerJob = 200

-- By object: { run =, number = }; C++ gives both.
local known = setmetatable({}, { __mode = "k" })

local function wait_for(run, number, what)
  local done, message = host.wait_for_job(run, number)
  if not done then fail.raise(what .. ": " .. message) end
end

local job_methods = {}

--- Returns when the job has ended; raises if it failed.
function job_methods.wait(self)
  local one = known[self]
  if not one then fail.raise("call it as a method: job:wait()") end
  wait_for(one.run, one.number, "job:wait")
end

local function new_object(name, run, number)
  local object = setmetatable({}, {
    __index = function(_, key)
      if job_methods[key] then return job_methods[key] end
      fail.raise(format("a job has no %s%s", fail.shown(key), fail.suggestion(key, order.names(job_methods))))
    end,
    __newindex = function() fail.raise("a job cannot be changed") end,
    __metatable = false,
    __tostring = function() return "job " .. name end,
  })
  known[object] = { run = run, number = number }
  return object
end

-- The numbers of the jobs of this run among the arguments.
local function numbers_of(run, ...)
  local numbers = {}
  for i = 1, select("#", ...) do
    local given = select(i, ...)
    local one = given ~= nil and known[given]
    if given ~= nil and not one then
      fail.raise("ctx:start_job: expected jobs to run after, got " .. fail.shown(given))
    end
    if one and one.run == run then numbers[#numbers + 1] = one.number end
  end
  return numbers
end

--- Adds to the methods of a ctx.
function job.extend_context(methods, check_context)
  --- start_job("name", …): a job of C++, which begins when the jobs after its name have ended.
  function methods.start_job(self, name, ...)
    check_context("start_job", self)
    if type(name) ~= "string" then fail.raise("ctx:start_job: expected a name, got " .. fail.shown(name)) end
    spend(kStepsPerJob)
    local run = host.job_run()
    local number, message = host.start_job(name, unpack(numbers_of(run, ...)))
    if not number then fail.raise("ctx:start_job: " .. message) end
    return (new_object(name, run, number))
  end

  --- Returns when all jobs of this run have ended; raises if one failed.
  function methods.wait_for_jobs(self)
    check_context("wait_for_jobs", self)
    wait_for(host.job_run(), 0, "ctx:wait_for_jobs")
  end
end

return job
