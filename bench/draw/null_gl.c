// A GL library between a program and the real one: draw calls, clears and swaps are counted and dropped,
// everything else is real. What remains of a frame is the work of the program and of the driver's calling
// thread, without pixels.
//
// SDL loads it instead of libGL (SDL_OPENGL_LIBRARY) or libEGL (SDL_VIDEO_EGL_DRIVER), and so do all that ask
// SDL for functions of GL. libepoxy finds functions itself and keeps them in variables; they are set here.
// The end of a frame is its swap: each frame's CPU time of the process, draw calls and primitives go to a
// file, and after the last frame the process ends.
//
//   NULL_GL_REPORT    the file
//   NULL_GL_FRAMES    the number of frames
//   NULL_GL_DRAWS     1: draws, clears and swaps happen, too (pictures, time to the first frame, memory)
//   NULL_GL_PERIOD    nanoseconds from one swap to the next, which the process sleeps through; 0: it does not
//   wait
//
// The idea: runs of a program with and without pixels differ by them alone, and Mesa draws on the CPU that is
// measured.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void (*Function)(void);
typedef struct {
    long long cpu_nanoseconds, draws, primitives;
} Frame;

enum { kFrameLimit = 100000 };

static Frame frames[kFrameLimit];
static Frame frame;
static long frame_count, frame_limit;
static long long first_shown, frame_begin, last_swap, period;
static bool is_drawing;
static const char* report_file;

static long long nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long number_in(const char* variable) {
    const char* text = getenv(variable);
    return text ? atoll(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
    report_file = getenv("NULL_GL_REPORT");
    frame_limit = number_in("NULL_GL_FRAMES");
    if (frame_limit > kFrameLimit) frame_limit = kFrameLimit;
    is_drawing = number_in("NULL_GL_DRAWS") != 0;
    period = number_in("NULL_GL_PERIOD");
}

static void write_report(void) {
    FILE* file = report_file ? fopen(report_file, "w") : NULL;
    if (!file) return;
    fprintf(file, "first_shown %lld\n", first_shown);
    for (long i = 0; i < frame_count; ++i)
        fprintf(file, "%lld %lld %lld\n", frames[i].cpu_nanoseconds, frames[i].draws, frames[i].primitives);
    fclose(file);
}

// After a swap. The sleep is relative to the last swap, so that no frame is shorter than the period.
static void end_frame(void) {
    if (frame_limit == 0) return;
    frame.cpu_nanoseconds = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - frame_begin;
    if (frame_count == 0) first_shown = nanoseconds(CLOCK_MONOTONIC);
    frames[frame_count++] = frame;
    if (frame_count == frame_limit) {
        write_report();
        _exit(0);
    }
    const long long rest = last_swap + period - nanoseconds(CLOCK_MONOTONIC);
    if (rest > 0) nanosleep(&(struct timespec){rest / 1000000000LL, rest % 1000000000LL}, NULL);
    last_swap = nanoseconds(CLOCK_MONOTONIC);
    frame = (Frame){0};
    frame_begin = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

// `mode` is that of GL: points, lines, loop, strip, triangles, strip, fan.
static void count(unsigned mode, long long vertices, long long instances) {
    static const int per_primitive[] = {1, 2, 1, 1, 3, 1, 1};
    static const int unfinished[] = {0, 0, 0, 1, 0, 2, 2};
    ++frame.draws;
    if (mode < 7 && vertices > unfinished[mode])
        frame.primitives += (vertices - unfinished[mode]) / per_primitive[mode] * instances;
}

static Function real(const char* library, const char* name) {
    void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    return handle ? (Function)dlsym(handle, name) : NULL;
}

static Function of_gl(const char* name) {
    Function (*get)(const char*) = (Function(*)(const char*))real("libGL.so.1", "glXGetProcAddressARB");
    Function found = get ? get(name) : NULL;
    return found ? found : real("libGL.so.1", name);
}

// A function of GL that counts with COUNT and calls the real one only when draws happen.
#define WRAPPED(NAME, PARAMETERS, ARGUMENTS, COUNT)                           \
    void NAME PARAMETERS {                                                    \
        static void(*real_function) PARAMETERS;                               \
        COUNT;                                                                \
        if (!is_drawing) return;                                              \
        if (!real_function) real_function = (void(*) PARAMETERS)of_gl(#NAME); \
        if (real_function) real_function ARGUMENTS;                           \
    }
#define NOTHING ((void)0)

WRAPPED(glClear, (unsigned mask), (mask), NOTHING)
WRAPPED(glClearBufferfv, (unsigned what, int index, const float* value), (what, index, value), NOTHING)
WRAPPED(glClearBufferiv, (unsigned what, int index, const int* value), (what, index, value), NOTHING)
WRAPPED(glClearBufferuiv, (unsigned what, int index, const unsigned* value), (what, index, value), NOTHING)
WRAPPED(glClearBufferfi, (unsigned what, int index, float depth, int stencil), (what, index, depth, stencil),
        NOTHING)
WRAPPED(glBlitFramebuffer,
        (int x0, int y0, int x1, int y1, int to_x0, int to_y0, int to_x1, int to_y1, unsigned mask,
         unsigned filter),
        (x0, y0, x1, y1, to_x0, to_y0, to_x1, to_y1, mask, filter), NOTHING)
WRAPPED(glDrawArrays, (unsigned mode, int first, int n), (mode, first, n), count(mode, n, 1))
WRAPPED(glDrawArraysInstanced, (unsigned mode, int first, int n, int instances), (mode, first, n, instances),
        count(mode, n, instances))
WRAPPED(glDrawArraysInstancedBaseInstance, (unsigned mode, int first, int n, int instances, unsigned base),
        (mode, first, n, instances, base), count(mode, n, instances))
WRAPPED(glDrawElements, (unsigned mode, int n, unsigned type, const void* at), (mode, n, type, at),
        count(mode, n, 1))
WRAPPED(glDrawElementsBaseVertex, (unsigned mode, int n, unsigned type, const void* at, int base),
        (mode, n, type, at, base), count(mode, n, 1))
WRAPPED(glDrawElementsInstanced, (unsigned mode, int n, unsigned type, const void* at, int instances),
        (mode, n, type, at, instances), count(mode, n, instances))
WRAPPED(glDrawElementsInstancedBaseVertex,
        (unsigned mode, int n, unsigned type, const void* at, int instances, int base),
        (mode, n, type, at, instances, base), count(mode, n, instances))
WRAPPED(glDrawElementsInstancedBaseInstance,
        (unsigned mode, int n, unsigned type, const void* at, int instances, unsigned base),
        (mode, n, type, at, instances, base), count(mode, n, instances))
WRAPPED(glDrawElementsInstancedBaseVertexBaseInstance,
        (unsigned mode, int n, unsigned type, const void* at, int instances, int vertex, unsigned instance),
        (mode, n, type, at, instances, vertex, instance), count(mode, n, instances))
WRAPPED(glDrawRangeElements,
        (unsigned mode, unsigned low, unsigned high, int n, unsigned type, const void* at),
        (mode, low, high, n, type, at), count(mode, n, 1))
WRAPPED(glDrawRangeElementsBaseVertex,
        (unsigned mode, unsigned low, unsigned high, int n, unsigned type, const void* at, int base),
        (mode, low, high, n, type, at, base), count(mode, n, 1))
WRAPPED(glMultiDrawArrays, (unsigned mode, const int* first, const int* n, int draws),
        (mode, first, n, draws), for (int i = 0; i < draws; ++i) count(mode, n[i], 1))
WRAPPED(glMultiDrawElements, (unsigned mode, const int* n, unsigned type, const void* const* at, int draws),
        (mode, n, type, at, draws), for (int i = 0; i < draws; ++i) count(mode, n[i], 1))
WRAPPED(glMultiDrawElementsBaseVertex,
        (unsigned mode, const int* n, unsigned type, const void* const* at, int draws, const int* base),
        (mode, n, type, at, draws, base), for (int i = 0; i < draws; ++i) count(mode, n[i], 1))

// A program linked to libepoxy calls through a variable for each function.
__attribute__((constructor)) static void replace_functions_of_epoxy(void) {
#define HOOK(NAME)                                                           \
    {                                                                        \
        Function* variable = (Function*)dlsym(RTLD_DEFAULT, "epoxy_" #NAME); \
        if (variable) *variable = (Function)NAME;                            \
    }
    HOOK(glClear)
    HOOK(glBlitFramebuffer) HOOK(glDrawArrays) HOOK(glDrawArraysInstanced) HOOK(glDrawElements)
        HOOK(glDrawElementsInstanced)
}

void glXSwapBuffers(void* display, unsigned long drawable) {
    if (is_drawing) ((void (*)(void*, unsigned long))real("libGL.so.1", "glXSwapBuffers"))(display, drawable);
    end_frame();
}

unsigned eglSwapBuffers(void* display, void* surface) {
    const unsigned done =
        is_drawing ? ((unsigned (*)(void*, void*))real("libEGL.so.1", "eglSwapBuffers"))(display, surface)
                   : 1;
    end_frame();
    return done;
}

// Functions asked for by name: ours if there is one of that name, without the ending of an extension.
static Function wrapped(const char* asked) {
    char name[64];
    size_t length = strlen(asked);
    if (length > 3 && (!strcmp(asked + length - 3, "ARB") || !strcmp(asked + length - 3, "EXT"))) length -= 3;
    if (length >= sizeof name) return NULL;
    memcpy(name, asked, length);
    name[length] = '\0';
#define OURS(NAME) \
    if (!strcmp(name, #NAME)) return (Function)NAME;
    OURS(glClear)
    OURS(glClearBufferfv)
    OURS(glClearBufferiv) OURS(glClearBufferuiv) OURS(glClearBufferfi) OURS(glBlitFramebuffer)
        OURS(glDrawArrays) OURS(glDrawArraysInstanced) OURS(glDrawArraysInstancedBaseInstance)
            OURS(glDrawElements) OURS(glDrawElementsBaseVertex) OURS(glDrawElementsInstanced)
                OURS(glDrawElementsInstancedBaseVertex) OURS(glDrawElementsInstancedBaseInstance)
                    OURS(glDrawElementsInstancedBaseVertexBaseInstance) OURS(glDrawRangeElements)
                        OURS(glDrawRangeElementsBaseVertex) OURS(glMultiDrawArrays) OURS(glMultiDrawElements)
                            OURS(glMultiDrawElementsBaseVertex) OURS(glXSwapBuffers)
                                OURS(eglSwapBuffers) return NULL;
}

Function glXGetProcAddressARB(const char* name) {
    Function ours = wrapped(name);
    return ours ? ours : ((Function(*)(const char*))real("libGL.so.1", "glXGetProcAddressARB"))(name);
}
Function glXGetProcAddress(const char* name) { return glXGetProcAddressARB(name); }

Function eglGetProcAddress(const char* name) {
    Function ours = wrapped(name);
    return ours ? ours : ((Function(*)(const char*))real("libEGL.so.1", "eglGetProcAddress"))(name);
}
