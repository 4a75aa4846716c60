# perigee_bench: everything under bench/, with its own harness (bench/support/harness.h), and the native systems of the
# demo, one step of which is measured. Skipped if there is nothing to build.
perigee_sources(bench_sources FOLDERS bench PATTERNS *.cpp)
perigee_sources(bench_demo_sources FOLDERS game/swarm PATTERNS *.cpp)
if(bench_sources)
    add_executable(perigee_bench ${bench_sources} ${bench_demo_sources})
    target_link_libraries(perigee_bench PRIVATE perigee_engine perigee_luajit fmt::fmt nlohmann_json::nlohmann_json)
    target_include_directories(perigee_bench PRIVATE "${PROJECT_SOURCE_DIR}")
    target_compile_definitions(perigee_bench PRIVATE PERIGEE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endif()
