/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/compile.h: kernel source to image, for devices that need not be here.
 *
 * Source is the CUDA/HIP dialect: __global__, threadIdx, __shared__, templates, "quern_kernel.cuh".
 * A *target* says what the image is for:
 *
 *     cuda:sm_90a            cubin for that NVIDIA architecture            (NVRTC)
 *     cuda:compute_80        PTX, runs on that architecture and every later one
 *     hip:gfx90a:sramecc+:xnack-   code object for that AMD target         (hipRTC, hipcc or clang)
 *     opencl:portable        OpenCL C text for any OpenCL 1.2 driver       (Quern's translator)
 *     opencl:<profile>       OpenCL C text for a named profile: pocl3, nvidia, ...
 *     cpu:x86-64-v3          machine code for processors that have at least that  (Quern's
 *                            translator, clang and a linker); cpu:x86-64-v4, cpu:aarch64, with
 *                            more as cpu:x86-64-v4:avx512vnni+; cpu:native is this processor
 *
 * An *image* is the result: bytes, what they are, who made them, the names and arguments of its
 * kernels. It can be saved to a file, loaded later, and given to qn_module_load().
 *
 * No compiler runs in the caller's process. There are two helper programs: `quern-translate` has
 * the translator and needs LLVM, `quern-rtc` has the others and needs none. Each is found through a
 * variable (QUERN_TRANSLATE, QUERN_RTC), else beside the program or library, else in libexec and
 * PATH.
 */
#ifndef QUERN_COMPILE_H
#define QUERN_COMPILE_H

#include <quern/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kernel source and everything that shapes its compilation. All pointers are borrowed until the
 * call that takes the struct returns. Zero means default everywhere. */
typedef struct qn_source {
    const char *text; /* the source; or NULL and `path` is read */
    const char *path; /* file to read, or the name diagnostics show for `text` */
    /* "NAME", "NAME=VALUE" */
    const char *const *defines;
    uint32_t n_defines;
    /* folders searched for #include, in order, after the including file's own folder */
    const char *const *include_dirs;
    uint32_t n_include_dirs;
    /* in-memory headers: #include "header_names[i]" finds header_texts[i], before any folder */
    const char *const *header_names;
    const char *const *header_texts;
    uint32_t n_headers;
    /* C++ expressions naming kernels or variables to keep and find later: "saxpy<float>",
     * "ns::scale", "&table<3>". Where several kernels have a name, one of them is "bump(int *)" or
     * "(void (*)(int *))bump". Blanks do not matter. extern "C" kernels need none. The translator
     * leaves out a kernel that it refuses, with a warning, where others are named. */
    const char *const *names;
    uint32_t n_names;
    /* compiler options common to all three compilers: -std=c++17, -O0..-O3, -g, --use_fast_math,
     * --fmad=false, -DNAME, -UNAME, -Idir, -w, -Wall, --maxrregcount=N, --device-int128 (NVRTC's
     * for integers of 128 bits, which the others have anyway). Unknown ones are refused, and so are
     * those that write files beside the image (-save-temps, --fdevice-time-trace, -MD,
     * --create-pch), which an image from the cache would come without.
     * -w and -Wall say which warnings are kept with the image, so they are part of its key.
     * --keep-going: kernels that cannot be translated are left out, with the reasons in the log,
     * when at least one other can; of a whole program that NVRTC or hipRTC compiles, those that it
     * cannot read.
     * --dump-after=PASS, for qn_translate() alone: the text is what that pass of the translator
     * left (docs/passes.md). */
    const char *const *options;
    uint32_t n_options;
} qn_source;

/* A source with every file it includes, in one piece of bytes that needs no file and no folder any
 * more: what a program carries that is to compile its kernels where it runs. Headers that were not
 * found (those of a vendor or of the system) stay #include lines, for the compiler to find. The
 * caller owns *out: free(*out).
 * QN_E_INVALID, QN_E_IO, QN_E_LIMIT, QN_E_MEMORY */
QN_CHECKED qn_status qn_source_pack(void **out, size_t *size_bytes, const qn_source *src);

/* The source again; bytes are copied. The caller owns *out: qn_source_release().
 * QN_E_CORRUPT (not what qn_source_pack() wrote), QN_E_MEMORY */
QN_CHECKED qn_status qn_source_unpack(qn_source **out, const void *bytes, size_t size_bytes);
QN_API void qn_source_release(qn_source *src); /* NULL is fine; only of qn_source_unpack() */

typedef enum qn_image_kind {
    QN_IMAGE_CUBIN = 1,
    QN_IMAGE_PTX,
    QN_IMAGE_HSACO,
    QN_IMAGE_OPENCL_C,      /* OpenCL C text made by the translator, or by hand */
    QN_IMAGE_OPENCL_BINARY, /* what clGetProgramInfo(CL_PROGRAM_BINARIES) gave for one device */
    QN_IMAGE_SHARED_OBJECT, /* machine code for a CPU, an ELF file */
} qn_image_kind;

typedef enum qn_arg_kind {
    QN_ARG_VALUE = 0, /* number or struct by value */
    QN_ARG_POINTER,   /* device address */
} qn_arg_kind;

typedef struct qn_arg_info {
    const char *name; /* "" where unknown */
    const char *type; /* source spelling, "" where unknown */
    qn_arg_kind kind;
    uint32_t size_bytes; /* as passed: 8 for pointers */
    uint32_t align_bytes;
    /* A value of which the OpenCL text takes the address: the kernel has more bytes of arguments
     * than the profile promises. Launches are the same; the runtime makes a copy for each. */
    bool in_buffer;
} qn_arg_info;

/* What is known of one kernel of an image. */
typedef struct qn_kernel_info {
    const char *name; /* symbol in the image */
    /* how the source calls it, and no other: "saxpy<float>", "bump(int *)" where there is another
     * bump; same as name for extern "C" */
    const char *expression;
    const char *symbol; /* its name for the linker of a C++ program ("_Z5saxpyIfEvPT_"); same as
                         * name for extern "C"; "" where unknown */
    bool args_known;    /* false: n_args is 0 and the driver may still know (kernel attributes) */
    uint32_t n_args;
    const qn_arg_info *args;
    uint64_t static_shared_bytes;
    uint32_t block_threads_max; /* from __launch_bounds__; 0: none given */
} qn_kernel_info;

typedef struct qn_image qn_image;

typedef struct qn_image_info {
    const char *target;   /* as compiled for */
    const char *compiler; /* "nvrtc 13.0", "hiprtc 5.2.3", "clang 19.1.7", "quern-translate 2
                             (clang 19.1.7)" */
    qn_image_kind kind;
    size_t size_bytes; /* of the payload */
    const void *bytes; /* payload; text kinds have a 0 byte after it that is not counted */
    uint32_t n_kernels;
    const qn_kernel_info *kernels;
} qn_image_info;

/* Where an image came from, for reports and counters. */
typedef enum qn_origin {
    QN_ORIGIN_COMPILED = 0,
    QN_ORIGIN_MEMORY_CACHE,
    QN_ORIGIN_DISK_CACHE,
    QN_ORIGIN_LOADED, /* from a file or bytes */
    QN_ORIGIN_REMOTE_CACHE,
    QN_ORIGIN_BUNDLE, /* quern/bundle.h */
} qn_origin;

typedef struct qn_tuned qn_tuned; /* tuned.h */

typedef struct qn_compile_options {
    const char
        *compiler; /* NULL: automatic; "nvrtc", "hiprtc", "hipcc", "clang", "translator", "cpu" */
    bool bypass_cache;           /* neither look up nor store */
    bool verbose;                /* keep all warnings in the log of a successful compile; those of
                                  * the translator about right results ("[translation]") always are */
    uint32_t time_limit_s;       /* per compile in the helper; 0: qn_compile_get_time_limit() */
    uint64_t memory_limit_bytes; /* the same; 0: QUERN_COMPILE_MEMORY, else 8 GiB */
    const qn_tuned *tuned;       /* its values become defines, after the source's; NULL: none */
} qn_compile_options;

/* What a compile said. Own it with qn_log_release(); zero it first or let the call fill it. */
typedef struct qn_log {
    char *text; /* diagnostics as "file:line:column: error: ...", source line, caret; or "" */
    char *raw;  /* what the compiler printed, untouched; or "" */
    char *key;  /* cache key, 64 hex digits; or "" */
    double ms;  /* time spent in the compiler, 0 on a cache hit */
    qn_origin origin;
} qn_log;

QN_API void qn_log_release(qn_log *log); /* NULL and zeroed logs are fine */

/* Compile for one target, through the cache. No device is needed.
 *   options  NULL: defaults
 *   log      may be NULL; else filled on success and failure, the caller releases it
 * The caller owns *out: qn_image_release().
 * QN_E_INVALID      the target or an option is malformed; the message names it
 * QN_E_UNSUPPORTED  the compiler found cannot make this target: the message says which one could
 * QN_E_IO           the source or an include folder cannot be read
 * QN_E_COMPILE      diagnostics are in log->text; the message holds the first one
 * QN_E_COMPILER     no compiler for this target was found, or it crashed or ran out of time */
QN_CHECKED qn_status qn_compile(qn_image **out, const qn_source *src, const char *target,
                                const qn_compile_options *options, qn_log *log);

/* Seconds one compile may take where the options say 0: QUERN_COMPILE_TIMEOUT, else 120. */
QN_API uint32_t qn_compile_get_time_limit(void);

/* -- many at once -- */

/* One of several compiles. The caller fills the first three; qn_compile_many() the rest. */
typedef struct qn_compile_item {
    const qn_source *source;
    const char *target;
    const qn_compile_options *options; /* NULL: defaults */
    qn_image *image;                   /* NULL where it failed */
    qn_status status;
    char *message; /* of a failure, else NULL */
    qn_log log;
} qn_compile_item;

/* Told after each one, by one thread at a time (not the caller's): done of total, and which was the
 * last. False: start no more; those not started end with QN_E_NOT_READY. */
typedef bool (*qn_compile_progress)(uint32_t done, uint32_t total, const qn_compile_item *last,
                                    void *payload);

/* Get many images side by side; what is missing is compiled in helper processes.
 *   workers   at most this many at once; 0: as many as there are processors
 *   progress  may be NULL
 * The caller releases the items in every case.
 * Returns the status of the first item that failed; the message says how many did. */
QN_CHECKED qn_status qn_compile_many(qn_compile_item *items, uint32_t n, uint32_t workers,
                                     qn_compile_progress progress, void *payload);
QN_API void qn_compile_items_release(qn_compile_item *items, uint32_t n);

/* -- why -- */

/* What decides the cache key of a compile, and whether a cache has it. Nothing is compiled. */
typedef struct qn_explanation {
    char *target;   /* canonical */
    char *source;   /* digest of texts, options and names; 64 hex digits */
    char *key;      /* 64 hex digits; "" where no compiler was found */
    char *compiler; /* its version; or why there is none */
    char *fields;   /* everything that went into the key: lines "name: value" */
    char *where;    /* the file that has the image; "" where none has it */
    char *origin;   /* as qn_image_get_origin() of it; "" where none has it */
    char *signer;
    char *nearest;     /* else the bundle or folder with the nearest entry, or "" */
    char *nearest_key; /* that entry's key, or "" */
    char *difference;  /* lines "- field" of that entry, "+ field" of this compile */
} qn_explanation;

/* Parameters and errors as qn_compile(), but a missing compiler is no error. The caller releases
 * *out in every case. */
QN_CHECKED qn_status qn_compile_explain(qn_explanation *out, const qn_source *src,
                                        const char *target, const qn_compile_options *options);
QN_API void qn_explanation_release(qn_explanation *e); /* NULL and zeroed ones are fine */

/* The lines that only one of two lists of fields has: "- ..." and "+ ...". The caller owns *out:
 * free(*out); "" where the lists are equal. QN_E_MEMORY */
QN_CHECKED qn_status qn_fields_diff(char **out, const char *a, const char *b);

/* Images are immutable and counted: retain for another owner, release when done. */
QN_API qn_image *qn_image_retain(qn_image *image);
QN_API void qn_image_release(qn_image *image); /* NULL is fine */
QN_API const qn_image_info *qn_image_get_info(const qn_image *image);

/* Its cache key and the fields that made it, lines "name: value"; "" where unknown (bare files).
 * Belong to the image. */
QN_API const char *qn_image_get_key(const qn_image *image);
QN_API const char *qn_image_get_fields(const qn_image *image);

/* Who made it, as far as this machine knows: "here", "server URL" (without user and password),
 * "bundle FILE", or "" where unknown (loaded from a file, or kept by an older version).
 *   signer  may be NULL; else *signer is the public key whose signature was right, 64 hex digits,
 *           or ""
 * Belong to the image. */
QN_API const char *qn_image_get_origin(const qn_image *image, const char **signer);

/* Was it made here, or signed by a key that QUERN_BUNDLE_KEYS trusts now? Sign no others. */
QN_API bool qn_image_is_verified(const qn_image *image);

/* Save in Quern's own checksummed format (written to a temporary file, then renamed). QN_E_IO */
QN_CHECKED qn_status qn_image_save(const qn_image *image, const char *path);

/* Load what qn_image_save() wrote, or a bare cubin, PTX, AMD code object or OpenCL C file.
 *   target  needed for bare files whose bytes do not say it (OpenCL C: "opencl:portable"); else
 * NULL QN_E_IO, QN_E_CORRUPT (checksum, truncation), QN_E_INVALID (format not recognised) */
QN_CHECKED qn_status qn_image_load(qn_image **out, const char *path, const char *target);

/* The same from memory; bytes are copied. */
QN_CHECKED qn_status qn_image_load_bytes(qn_image **out, const void *bytes, size_t size_bytes,
                                         const char *target);

/* Every target some compiler found here can make, for one backend ("cuda", "hip", "opencl", "cpu").
 * The caller owns *out, an array of n strings in one piece: free(*out).
 * QN_E_INVALID   no such backend
 * QN_E_COMPILER  no compiler for it was found: the message says what was looked for */
QN_CHECKED qn_status qn_compile_targets(const char *const **out, uint32_t *n, const char *backend);

/* One compiler that was looked for, whether found or not. */
typedef struct qn_compiler_info {
    const char *name;    /* "nvrtc", "hiprtc", "hipcc", "clang", "translator", "cpu" */
    const char *version; /* "" where not found */
    const char *where;   /* library or program file; else why it was not found */
    bool found;
} qn_compiler_info;

/* The caller owns *out: free(*out) (strings are in the same piece). May start the helpers. */
QN_CHECKED qn_status qn_compilers(const qn_compiler_info **out, uint32_t *n);

#ifdef __cplusplus
}
#endif
#endif
