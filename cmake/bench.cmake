# perigee_bench: everything under bench/, with its own harness (bench/support/harness.h). Skipped if there is nothing
# to build.
perigee_sources(bench_sources FOLDERS bench PATTERNS *.cpp)
if(bench_sources)
    add_executable(perigee_bench ${bench_sources})
    target_link_libraries(perigee_bench PRIVATE perigee_scripting perigee_luajit fmt::fmt nlohmann_json::nlohmann_json)
    target_include_directories(perigee_bench PRIVATE "${PROJECT_SOURCE_DIR}")
    target_compile_definitions(perigee_bench PRIVATE PERIGEE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endif()
