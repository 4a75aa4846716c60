// Opens a shared object, and checks it before any of its functions is called.
#include "engine/plugin/plugin.h"

#include "ecs/files/regular_file.h"
#include "ecs/schedule/named_jobs.h"
#include "engine/base/error_codes.h"
#include "engine/plugin/internal/plugin_host.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;
namespace fs = std::filesystem;

constexpr char kAbiSymbol[] = "perigee_plugin_abi";
constexpr char kEntrySymbol[] = "perigee_plugin";

struct CloseLibrary {
    void operator()(void* library) const noexcept { ::dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

struct Entry {
    PerigeePluginEntry call;
    std::uint32_t abi;
};

std::string name_of(const fs::path& file) {
    std::string name = file.stem().string();
    if (name.starts_with("lib")) name.erase(0, 3);
    return name;
}

Result<Library> open_library(const fs::path& file) {
    std::error_code ignored;
    // Loading a pipe would wait for its writer.
    if (const Result<RegularFile> opened = RegularFile::open(file); !opened)
        return Error{fmt::format(e::kPluginNoFile, file.string(), opened.error().message)};
    // An absolute path: others are looked for in the system's folders.
    Library library(::dlopen(fs::absolute(file, ignored).c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library == nullptr) {
        const char* const reason = ::dlerror();
        return Error{fmt::format(e::kPluginCannotLoad, file.string(), reason != nullptr ? reason : "?")};
    }
    return library;
}

Result<Entry> entry_of(void* library, const fs::path& file) {
    const auto* const abi = static_cast<const std::uint32_t*>(::dlsym(library, kAbiSymbol));
    void* const entry = ::dlsym(library, kEntrySymbol);
    for (const auto& [symbol, name] :
         {std::pair<const void*, const char*>{abi, kAbiSymbol}, {entry, kEntrySymbol}})
        if (symbol == nullptr) return Error{fmt::format(e::kPluginNoEntry, file.string(), name)};
    if (*abi < PERIGEE_OLDEST_PLUGIN_ABI || *abi > PERIGEE_PLUGIN_ABI)
        return Error{fmt::format(e::kPluginOtherAbi, file.string(), *abi, PERIGEE_PLUGIN_ABI)};
    return Entry{reinterpret_cast<PerigeePluginEntry>(entry), *abi};
}

}  // namespace

struct Plugin::Loaded {
    Loaded(Library opened, std::uint32_t abi, World& world, Schedule& schedule, LogSink log, std::string name)
        : library(std::move(opened)), host(abi, world, schedule, std::move(log), std::move(name)) {}

    // Its systems and jobs first: their last calls go into the library.
    ~Loaded() {
        for (std::size_t i = host.systems.size(); i-- > 0;) host.schedule.remove(host.systems[i]);
        for (const std::string& job : host.jobs) NamedJobs::of(host.world).remove(job);
        if (plugin.unload != nullptr) plugin.unload(plugin.user);
    }

    Library library;
    internal::PluginHost host;
    PerigeePlugin plugin{};
    std::string version;
};

Result<std::unique_ptr<Plugin>> Plugin::load(const fs::path& file, World& world, Schedule& schedule,
                                             LogSink log) {
    Result<Library> library = open_library(file);
    if (!library) return library.error();
    const Result<Entry> entry = entry_of(library.value().get(), file);
    if (!entry) return entry.error();

    auto loaded = std::make_unique<Loaded>(std::move(library).value(), entry.value().abi, world, schedule,
                                           std::move(log), name_of(file));
    internal::PluginHost& host = loaded->host;
    host.is_open = true;
    const int status = entry.value().call(&host, &loaded->plugin);
    host.is_open = false;
    std::string mistakes;
    for (const std::string& mistake : host.mistakes) mistakes += (mistakes.empty() ? "" : "\n") + mistake;
    if (mistakes.empty() && status != PERIGEE_OK) mistakes = fmt::format(e::kPluginReturned, status);
    if (!mistakes.empty()) return Error{fmt::format(e::kPluginRefused, file.string(), mistakes)};
    if (loaded->plugin.version != nullptr) loaded->version = loaded->plugin.version;
    return std::unique_ptr<Plugin>(new Plugin(std::move(loaded)));
}

Plugin::Plugin(std::unique_ptr<Loaded> loaded) : loaded_(std::move(loaded)) {}

Plugin::~Plugin() = default;

const std::string& Plugin::name() const noexcept { return loaded_->host.name; }

const std::string& Plugin::version() const noexcept { return loaded_->version; }

}  // namespace perigee
