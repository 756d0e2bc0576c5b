/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries: folders the user named (environment) come first, then the index of the dynamic loader
 * (/etc/ld.so.cache), then the usual folders. Within one of these groups a newer soname wins.
 * Programs: named folders, then PATH.
 *
 * The loader's index has a stable format: a head of 48 bytes, rows of 24, then names; it is
 * read here because dlopen() is the only public way to ask it, and that would load the library.
 */
#define _XOPEN_SOURCE 700
#include "rtc/job/locate.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/str.h"
#include "base/trust.h"
#include "base/wire.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

const char *const qn__compiler_names[] = {
#define QN_COMPILER(name, BACKEND, backend) #name,
#include "base/compilers.def"
    NULL};

/* To use what was found and is not trusted. */
static const char *const naming_a_folder =
    "name its folder with CUDA_PATH, ROCM_PATH or LD_LIBRARY_PATH";
static const char *const naming_a_clang = "name it with its folder in QUERN_CLANG";

struct search {
    struct qn__arena *arena;
    const char **folders; /* each ends in '/' */
    size_t n, capacity;
    size_t n_named; /* the first of them, which the user named */
    bool any;       /* no question asked */
};

/* -- folders -- */

static void add_folder(struct search *s, const char *text, size_t n)
{
    if (!n)
        return;
    if (s->n == s->capacity) {
        const size_t capacity = s->capacity ? s->capacity * 2 : 16;
        const char **grown = QN__ARENA_ARRAY(s->arena, const char *, capacity);
        if (!grown)
            return; /* the arena remembers */
        if (s->n)
            memcpy(grown, s->folders, s->n * sizeof *grown);
        s->folders = grown;
        s->capacity = capacity;
    }
    char *copy = qn__arena_alloc(s->arena, n + 2, 1);
    if (!copy)
        return;
    memcpy(copy, text, n);
    copy[n] = '/';
    s->folders[s->n++] = copy;
}

static void add_below(struct search *s, const char *root, const char *below)
{
    if (!root || root[0] != '/')
        return;
    const char *parent = qn__arena_join(s->arena, root, "/");
    const char *folder = parent ? qn__arena_join(s->arena, parent, below) : NULL;
    if (folder)
        add_folder(s, folder, strlen(folder));
}

/* A ROCm: its folder, and from 7.9 on those of its versions in it, core-7.12, with the newest first
 * behind "core", which is what is in use. */
static void add_rocm(struct search *s, const char *root, const char *below)
{
    glob_t found;
    add_below(s, root, below);
    const char *pattern = root && root[0] == '/' ? qn__arena_join(s->arena, root, "/core*") : NULL;
    if (!pattern || glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) /* sorted: "core" comes first */
        if (!strcmp(strrchr(found.gl_pathv[i], '/'), "/core"))
            add_below(s, found.gl_pathv[i], below);
    for (size_t i = found.gl_pathc; i-- > 0;)
        if (!strncmp(strrchr(found.gl_pathv[i], '/'), "/core-", 6))
            add_below(s, found.gl_pathv[i], below);
    globfree(&found);
}

static void add_path(struct search *s, const char *list)
{
    while (list && *list) {
        const size_t n = strcspn(list, ":");
        if (list[0] == '/')
            add_folder(s, list, n);
        list += n;
        list += *list == ':';
    }
}

/* site-packages of an active Python environment: pip's CUDA wheels. */
static void add_wheels(struct search *s)
{
    const char *env = qn__getenv("VIRTUAL_ENV");
    char *lib = env && env[0] == '/' ? qn__path_join(env, "lib") : NULL;
    DIR *d = lib ? opendir(lib) : NULL;
    const struct dirent *e;
    while (d && (e = readdir(d))) {
        if (!qn__starts_with(e->d_name, "python3"))
            continue;
        const char *site = qn__arena_printf(s->arena, "%s/%s/site-packages", lib, e->d_name);
        add_below(s, site, "nvidia/cuda_nvrtc/lib"); /* CUDA 11 and 12 */
        add_below(s, site, "nvidia/cu13/lib");
    }
    if (d)
        closedir(d);
    free(lib);
}

static void add_system(struct search *s)
{
    static const char *const usual[] = {
        "/usr/lib/x86_64-linux-gnu",
        "/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
    };
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        add_folder(s, usual[i], strlen(usual[i]));
}

static void add_cuda_root(struct search *s, const char *root)
{
    add_below(s, root, "lib64");
    add_below(s, root, "targets/x86_64-linux/lib");
    add_below(s, root, "targets/sbsa-linux/lib");
    add_below(s, root, "lib");
}

/* -- libraries -- */

/* What is in a folder that the user named is the user's choice. */
static bool may_use(const struct search *s, size_t folder, const char *file)
{
    return folder < s->n_named || s->any || qn__trust_found(file, naming_a_folder);
}

enum { CACHE_HEAD_BYTES = 48, CACHE_ROW_BYTES = 24, CACHE_LIMIT_BYTES = 64 << 20 };

struct loader_index {
    bool is_read;
    char *bytes; /* NULL: there is none */
    size_t n;
};

/* Path of the soname in the loader's index, NULL where it has none. */
static const char *loader_path(const struct search *s, struct loader_index *index,
                               const char *soname)
{
    static const char magic[] = "glibc-ld.so.cache1.1";
    const size_t length = strlen(soname) + 1;
    const char *found = NULL;
    if (!index->is_read &&
        qn__file_read(&index->bytes, &index->n, "/etc/ld.so.cache", CACHE_LIMIT_BYTES) != QN_OK)
        index->bytes = NULL;
    index->is_read = true;
    if (!index->bytes)
        return NULL;
    const char *bytes = index->bytes;
    const size_t n = index->n;
    const char *head = n >= CACHE_HEAD_BYTES ? bytes : NULL;
    if (head && memcmp(head, magic, sizeof magic - 1) != 0) { /* it follows an older table */
        for (size_t at = 0; at + CACHE_HEAD_BYTES <= n; at += 4)
            if (memcmp(bytes + at, magic, sizeof magic - 1) == 0) {
                head = bytes + at;
                break;
            }
    }
    if (head && memcmp(head, magic, sizeof magic - 1) == 0) {
        const unsigned char *p = (const unsigned char *)head;
        const size_t size = n - (size_t)(head - bytes);
        const size_t rows = qn__get_u32(p + 20);
        for (size_t i = 0; !found && i < rows && i < (size - CACHE_HEAD_BYTES) / CACHE_ROW_BYTES;
             i++) {
            const unsigned char *row = p + CACHE_HEAD_BYTES + i * CACHE_ROW_BYTES;
            const size_t key = qn__get_u32(row + 4), value = qn__get_u32(row + 8);
            if (key < size && size - key >= length && memcmp(head + key, soname, length) == 0 &&
                value < size && memchr(head + value, 0, size - value) &&
                qn__file_exists(head + value) && may_use(s, SIZE_MAX, head + value))
                found = qn__arena_strdup(s->arena, head + value);
        }
    }
    return found;
}

static const char *first_file(const struct search *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++) {
        const char *file = qn__arena_join(s->arena, s->folders[i], name);
        if (file && qn__file_exists(file) && may_use(s, i, file))
            return file;
    }
    return NULL;
}

/* named: folders the user pointed at; usual: where packages put it. */
static const char *find_library(const struct search *named, const struct search *usual,
                                const char *const *sonames)
{
    const char *file = NULL;
    struct loader_index index = {0};
    for (size_t i = 0; !file && sonames[i]; i++)
        file = first_file(named, sonames[i]);
    for (size_t i = 0; !file && sonames[i]; i++)
        if (!(file = loader_path(usual, &index, sonames[i])))
            file = first_file(usual, sonames[i]);
    free(index.bytes);
    return file;
}

static void locate_nvrtc(struct qn__located *out, struct qn__arena *arena, bool any)
{
    static const char *const sonames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                          "libnvrtc.so", NULL};
    struct search named = {.arena = arena, .any = any}, usual = named;
    add_path(&named, qn__getenv("LD_LIBRARY_PATH"));
    add_cuda_root(&named, qn__getenv("CUDA_PATH"));
    add_cuda_root(&named, qn__getenv("CUDA_HOME"));
    add_wheels(&named);
    named.n_named = named.n;
    add_cuda_root(&usual, "/usr/local/cuda");
    add_system(&usual);
    out->files[0] = find_library(&named, &usual, sonames);
    out->n_files = out->found = out->files[0] != NULL;
    out->reason = "libnvrtc.so.13, .12 and .11.2 are not in LD_LIBRARY_PATH, CUDA_PATH, CUDA_HOME, "
                  "VIRTUAL_ENV, the loader's index or /usr/local/cuda; install NVIDIA's NVRTC "
                  "package or set CUDA_PATH";
}

static void locate_hiprtc(struct qn__located *out, struct qn__arena *arena, bool any)
{
    /* up to ROCm 6 hipRTC is inside libamdhip64; from 7 on it is a library of its own */
    static const char *const hip[] = {"libhiprtc.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                      "libhiprtc.so",   "libamdhip64.so",   NULL};
    static const char *const comgr[] = {"libamd_comgr.so.3", "libamd_comgr.so.2", "libamd_comgr.so",
                                        NULL};
    struct search named = {.arena = arena, .any = any}, usual = named;
    add_path(&named, qn__getenv("LD_LIBRARY_PATH"));
    add_rocm(&named, qn__getenv("ROCM_PATH"), "lib");
    add_rocm(&named, qn__getenv("HIP_PATH"), "lib");
    named.n_named = named.n;
    add_rocm(&usual, "/opt/rocm", "lib");
    add_system(&usual);
    out->files[0] = find_library(&named, &usual, hip);
    out->n_files = out->found = out->files[0] != NULL;
    out->reason = "libhiprtc and libamdhip64 (sonames 7, 6, 5) are not in LD_LIBRARY_PATH, "
                  "ROCM_PATH, HIP_PATH, the loader's index or /opt/rocm; on Debian and Ubuntu: apt "
                  "install libamdhip64-5";
    if (out->found && (out->files[1] = find_library(&named, &usual, comgr)))
        out->n_files = 2;
}

/* -- programs -- */

static const char *find_program(const struct search *named, const char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        for (size_t f = 0; f < named->n; f++) {
            const char *file = qn__arena_join(named->arena, named->folders[f], names[i]);
            if (file && qn__file_is_executable(file) && may_use(named, f, file))
                return file;
        }
    }
    for (size_t i = 0; names[i]; i++) {
        char *file = qn__find_program(names[i], named->any ? NULL : naming_a_clang);
        const char *copy = file ? qn__arena_strdup(named->arena, file) : NULL;
        free(file);
        if (copy)
            return copy;
    }
    return NULL;
}

/* The folder with ocml.bc: ROCm's and the distributions' places. */
static const char *find_device_libraries(struct qn__arena *arena, bool any)
{
    struct search s = {.arena = arena, .any = any};
    add_rocm(&s, qn__getenv("ROCM_PATH"), "amdgcn/bitcode");
    add_rocm(&s, qn__getenv("ROCM_PATH"), "lib/llvm/amdgcn/bitcode");
    s.n_named = s.n;
    add_rocm(&s, "/opt/rocm", "amdgcn/bitcode");
    add_rocm(&s, "/opt/rocm", "lib/llvm/amdgcn/bitcode");
    add_below(&s, "/usr/lib/x86_64-linux-gnu", "amdgcn/bitcode");
    add_below(&s, "/usr", "amdgcn/bitcode");
    add_below(&s, "/usr/lib", "amdgcn/bitcode");
    add_below(&s, "/usr/lib64", "amdgcn/bitcode");
    static const char *const of_clang[] = {"19", "18",
                                           "17"}; /* Ubuntu's rocm-device-libs-17; Fedora */
    for (size_t i = 0; i < sizeof of_clang / sizeof *of_clang; i++) {
        const char *v = of_clang[i];
        const char *llvm = qn__arena_printf(arena, "/usr/lib/llvm-%s/lib/clang/%s", v, v);
        add_below(&s, llvm, "amdgcn/bitcode");
        add_below(&s, llvm, "lib/amdgcn/bitcode");
        add_below(&s, qn__arena_printf(arena, "/usr/lib/clang/%s", v), "amdgcn/bitcode");
    }
    return first_file(&s, "ocml.bc");
}

static void locate_offline(struct qn__located *out, struct qn__arena *arena,
                           const char *const *programs, bool is_rocm, bool any)
{
    struct search named = {.arena = arena, .any = any};
    if (is_rocm) {
        add_rocm(&named, qn__getenv("ROCM_PATH"), "llvm/bin");
        add_rocm(&named, qn__getenv("ROCM_PATH"), "bin");
        named.n_named = named.n;
        add_rocm(&named, "/opt/rocm", "llvm/bin");
        add_rocm(&named, "/opt/rocm", "bin");
    }
    out->files[0] = find_program(&named, programs);
    out->files[1] = find_device_libraries(arena, any);
    out->found = out->files[0] && out->files[1];
    out->n_files = out->found ? 2 : 0;
    if (!out->files[0])
        out->reason = is_rocm ? "amdclang++ and hipcc are not in ROCM_PATH, /opt/rocm or PATH"
                              : "clang++ 19 or later is not in PATH; on Debian and Ubuntu: apt "
                                "install clang-19 lld-19 rocm-device-libs";
    else if (!out->files[1])
        out->reason = "AMD's device libraries (ocml.bc) are in neither ROCM_PATH nor the usual "
                      "folders; apt install rocm-device-libs, on Ubuntu 24.04 rocm-device-libs-17";
}

static void locate_hipcc(struct qn__located *out, struct qn__arena *arena, bool any)
{
    static const char *const programs[] = {"amdclang++", "hipcc", NULL};
    locate_offline(out, arena, programs, true, any);
}

static void locate_clang(struct qn__located *out, struct qn__arena *arena, bool any)
{
    static const char *const programs[] = {"clang++-19", "clang++-20", "clang++-21",
                                           "clang++-22", "clang++",    NULL};
    locate_offline(out, arena, programs, false, any);
}

/* The user's choice, else the clang of the LLVM that the helper is built with, which reads its
 * output for certain, else any other. */
static void locate_translator(struct qn__located *out, struct qn__arena *arena, bool any)
{
    static const char *const usual[] = {
        "clang-" QN_LLVM_MAJOR, "clang-19", "clang-20", "clang-18", "clang", NULL};
    const char *own = qn__getenv("QUERN_CLANG");
    const bool chosen = own && *own;
    const struct search none = {.arena = arena, .any = any};
    out->files[0] = find_program(&none, chosen ? (const char *const[]){own, NULL} : usual);
    out->n_files = out->found = out->files[0] != NULL;
    out->reason = chosen ? qn__arena_printf(arena, "QUERN_CLANG=%s: no such program", own)
                         : "clang 18 to 20 is not in PATH; on Debian and Ubuntu: apt install "
                           "clang-19";
    if (!out->reason)
        out->reason = "out of memory";
}

/* The translator's clang, and the best linker: LLVM's makes objects for every machine. */
static void locate_cpu(struct qn__located *out, struct qn__arena *arena, bool any)
{
    static const char *const linkers[] = {
        "ld.lld-" QN_LLVM_MAJOR, "ld.lld-19", "ld.lld-20", "ld.lld-18", "ld.lld", "ld", NULL};
    const struct search none = {.arena = arena, .any = any};
    locate_translator(out, arena, any);
    if (!out->found)
        return;
    out->files[1] = find_program(&none, linkers);
    out->n_files = out->files[1] ? 2 : 0;
    out->found = out->files[1] != NULL;
    out->reason =
        "ld.lld and ld are not in PATH, and a linker is needed; on Debian and Ubuntu: apt "
        "install lld-19, or binutils";
}

static void locate(struct qn__located *out, struct qn__arena *arena, const char *compiler, bool any)
{
    static const struct {
        const char *name;
        void (*locate)(struct qn__located *out, struct qn__arena *arena, bool any);
    } rows[] = {
#define QN_COMPILER(name, BACKEND, backend) {#name, locate_##name},
#include "base/compilers.def"
    };
    *out = (struct qn__located){.reason = "there is no compiler of this name"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, compiler) == 0)
            rows[i].locate(out, arena, any);
    /* A folder that was left out for want of memory would let another compiler be found. */
    if (arena->failed)
        *out = (struct qn__located){.reason = "no memory to look for it"};
    if (out->found)
        out->reason = "";
}

void qn__locate(struct qn__located *out, struct qn__arena *arena, const char *compiler)
{
    locate(out, arena, compiler, false);
}

void qn__locate_any(struct qn__located *out, struct qn__arena *arena, const char *compiler)
{
    locate(out, arena, compiler, true);
}

qn_status qn__locate_cuda_include(const char **out, struct qn__arena *arena,
                                  const char *nvrtc_library)
{
    char *real = realpath(nvrtc_library, NULL);
    bool ok = real || errno != ENOMEM;
    *out = NULL;
    /* ROOT/lib64/libnvrtc.so.13, ROOT/targets/x86_64-linux/lib/..., cuda_nvrtc/lib/... */
    for (int up = 0; real && ok && !*out && up < 3; up++) {
        char *parent = qn__path_dir(real);
        free(real);
        real = parent;
        const char *folder = real ? qn__arena_printf(arena, "%s/include", real) : NULL;
        const char *file = folder ? qn__arena_printf(arena, "%s/cuda_fp16.h", folder) : NULL;
        ok = file != NULL;
        if (ok && qn__file_exists(file))
            *out = folder;
    }
    free(real);
    return ok ? QN_OK : qn__fail(QN_E_MEMORY, "no memory to look for a toolkit's headers");
}
