# PERIGEE_SANITIZE names the sanitizers of a whole build: "address,undefined", "thread", or nothing.
# The first finding ends the program, so a test cannot pass over it.
set(PERIGEE_SANITIZE "" CACHE STRING "Sanitizers for every target, as g++ spells them")

if(PERIGEE_SANITIZE)
    set(flags -fsanitize=${PERIGEE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # Instrumented code confuses g++ 12: it reports std::function and std::regex members that are initialised.
    add_compile_options(${flags} -Wno-maybe-uninitialized)
    add_link_options(${flags})
endif()
