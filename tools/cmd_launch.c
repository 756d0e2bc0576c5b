/* SPDX-License-Identifier: Apache-2.0
 *
 * quern launch: run one kernel from the command line. FILE is kernel source or an image; every
 * argument is described by a word of the language in launch_args.h. The order of work: parse all
 * words, open the device, build, compare the words with the kernel's parameters, allocate and fill,
 * launch once, fetch and show the outputs, then (with --time) launch again and again. All of it in
 * a process of its own (own_process.h): on a CPU, a kernel that stores out of bounds ends it. */
#include "base/environment.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/launch_args.h"
#include "tools/launch_gdb.h"
#include "tools/own_process.h"
#include "tools/sanitize.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <math.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    struct qn__source_options source;
    const char *kernel, *device, *grid, *block, *save_dir, *sanitize;
    struct qn__option_list args;
    uint64_t shared_bytes, tuned_items, heap_bytes, repeats, n_shown;
    bool cooperative, check_nan, no_cache, verbose, json, gdb;
};

static const struct qn__option options[] = {
    QN__SOURCE_ROWS(struct values),
    QN__OPERAND(struct values, kernel, "KERNEL",
                "its name, or an expression: 'saxpy<float>', 'bump(int *)' (kept without --name)"),
    QN__TEXT(struct values, grid, 'g', "grid", "X[,Y[,Z]]", "blocks per axis; default 1"),
    QN__TEXT(struct values, block, 'b', "block", "X[,Y[,Z]]", "threads per axis; default 1"),
    QN__NUMBER(struct values, shared_bytes, 's', "shared", 0, UINT32_MAX, 0,
               "bytes of dynamic shared memory"),
    QN__NUMBER(struct values, tuned_items, 0, "tuned", 0, INT64_MAX, 0,
               "build with what `quern tune` found for so many items, and take grid and block from "
               "it; where nothing fits that is said, and --grid and --block count"),
    QN__NUMBER(struct values, heap_bytes, 0, "heap", 0, QN_HEAP_BYTES_MAX, 0,
               "bytes for malloc() and new of kernels; default 8388608"),
    QN__FLAG(struct values, cooperative, 0, "cooperative",
             "all blocks at once, as grid.sync() needs; not through OpenCL"),
    QN__LIST(struct values, args, 'a', "arg", "ARG", "the kernel's next argument, see above"),
    QN__TEXT(struct values, device, 'd', "device", "DEVICE",
             "device to use: cuda:0, hip:1, opencl, ...; default the preferred one"),
    QN__NUMBER(struct values, repeats, 'n', "time", 0, 1000000, 0,
               "launch this often more and print times"),
    QN__NUMBER(struct values, n_shown, 'p', "print", 0, UINT32_MAX, 8,
               "elements of each output to print"),
    QN__TEXT(struct values, save_dir, 0, "save", "DIR",
             "write each output there as raw bytes: argN.TYPE"),
    QN__CHOICE(struct values, sanitize, 0, "sanitize", "address|undefined|thread",
               "run it as C under this sanitizer of clang's (see quern help check)"),
    QN__FLAG(struct values, gdb, 0, "gdb",
             "run it on cpu:0 in gdb, which stops at the first line of KERNEL"),
    QN__FLAG(struct values, check_nan, 0, "check-nan", "fail when an output holds NaN or infinity"),
    QN__FLAG(struct values, no_cache, 0, "no-cache", "neither look into the cache nor store there"),
    QN__FLAG(struct values, verbose, 'v', "verbose",
             "show warnings, the compiler's own words, and the kernel's attributes"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

struct buffer { /* of one argument; all zero for values */
    qn_addr addr;
    unsigned char *host;
    struct qn__number_summary summary; /* of outputs, after the launch */
};

struct session {
    const struct values *v;
    uint32_t n;
    struct qn__launch_arg *args;
    struct buffer *buffers;
    void **pointers; /* what qn_stream_launch() takes */
    qn_dims dims;
    qn_device *device;
    qn_module *module;
    qn_stream *stream;
    const qn_kernel *kernel;
    qn_log log;
    double *times_ms; /* sorted */
};

/* The library's messages often name the kernel themselves. */
static int fail(const struct session *s)
{
    const bool is_named = strstr(qn_message(), s->v->kernel) != NULL;
    return qn__complain_status("launch%s%s", is_named ? "" : ": ", is_named ? "" : s->v->kernel);
}

/* What begins now, for the report of a fault. */
static void begin(const struct session *s, const char *what, bool is_kernel)
{
    const qn_device_info *d = qn_device_get_info(s->device);
    char text[256];
    snprintf(text, sizeof text, "%s on %s (%s)", what, d->id, d->name);
    const char *advice =
        d->device_class == QN_DEVICE_CPU
            ? "on a CPU a kernel is code of the process, which an index out of bounds or a null "
              "pointer ends; `quern check` finds the place"
            : "this driver ends the process when a kernel uses memory that is not there; `quern "
              "check` finds the place";
    qn__own_process_does(text, is_kernel ? advice : "");
}

/* ---- words ---- */

static bool parse_words(struct session *s)
{
    if (qn__launch_axes_parse(s->dims.grid, "grid", s->v->grid) != QN_OK ||
        qn__launch_axes_parse(s->dims.block, "block", s->v->block) != QN_OK) {
        qn__complain_status("launch");
        return false;
    }
    s->dims.shared_bytes = (uint32_t)s->v->shared_bytes;
    for (uint32_t i = 0; i < s->n; i++)
        if (qn__launch_arg_parse(&s->args[i], s->v->args.items[i]) != QN_OK) {
            qn__complain_status("launch: --arg %s", s->v->args.items[i]);
            return false;
        }
    return true;
}

/* ---- device and kernel ---- */

static bool is_source(const char *file)
{
    static const char *const endings[] = {".cu",  ".cuh", ".hip", ".cpp", ".cc",
                                          ".cxx", ".c",   ".h",   ".hpp"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (qn__ends_with(file, endings[i]))
            return true;
    return false;
}

/* Again without the kernels that cannot be translated: KERNEL may not be one of them. The first
 * failure stays where it is, or where the compiler leaves nothing out. */
static qn_status build_without_others(struct session *s, const qn_source *src,
                                      const qn_compile_options *how, qn_status failure)
{
    qn_source again = *src;
    qn_log log = {0};
    const qn_kernel *kernel;
    struct qn__str message = {0};
    qn__str_add(&message, qn_message());
    const char **wishes = calloc(src->n_options + 1, sizeof *wishes);
    if (!wishes || message.failed) {
        qn__str_release(&message);
        free(wishes);
        return qn__fail(QN_E_MEMORY, "no memory for options");
    }
    for (uint32_t i = 0; i < src->n_options; i++)
        wishes[i] = src->options[i];
    wishes[again.n_options++] = "--keep-going";
    again.options = wishes;
    if (qn_module_build(&s->module, s->device, &again, how, &log) == QN_OK &&
        qn_kernel_find(&kernel, s->module, s->v->kernel) == QN_OK) {
        qn_log_release(&s->log);
        s->log = log;
        failure = QN_OK;
    } else {
        qn_log_release(&log);
        qn_module_close(s->module);
        s->module = NULL;
        failure = qn__fail(failure, "%s", message.text);
    }
    qn__str_release(&message);
    free(wishes);
    return failure;
}

/* --tuned: the values, and by them the dims. None is no failure, but said. */
static qn_status find_tuned(struct session *s, qn_tuned **tuned, const qn_source *src)
{
    const uint64_t items = s->v->tuned_items;
    const qn_status status = qn_tuned_find(tuned, s->device, src, s->v->kernel, items);
    if (status != QN_OK) {
        if (status == QN_E_NOT_FOUND)
            qn__complain(0, "launch: %s", qn_message());
        return status == QN_E_NOT_FOUND ? QN_OK : status;
    }
    const qn_tuned_info *t = qn_tuned_get_info(*tuned);
    const uint64_t blocks = items / t->block_items + (items % t->block_items != 0);
    if (blocks > UINT32_MAX)
        return qn__fail(QN_E_LIMIT, "--tuned %llu: %llu blocks are too many",
                        (unsigned long long)items, (unsigned long long)blocks);
    for (int i = 0; i < 3; i++) {
        s->dims.block[i] = t->block[i];
        s->dims.grid[i] = i ? 1 : (uint32_t)blocks;
    }
    return QN_OK;
}

static qn_status build_source(struct session *s)
{
    qn_compile_options how = {.bypass_cache = s->v->no_cache, .verbose = s->v->verbose};
    const char **names = calloc(s->v->source.names.n + 1, sizeof *names);
    if (!names)
        return qn__fail(QN_E_MEMORY, "no memory for names");
    qn_source src;
    qn__source_fill(&src, &s->v->source);
    for (uint32_t i = 0; i < src.n_names; i++)
        names[i] = src.names[i];
    /* only what is named is instantiated, and told from others of its name */
    if (strpbrk(s->v->kernel, "<:("))
        names[src.n_names++] = s->v->kernel;
    src.names = names;
    qn_tuned *tuned = NULL;
    qn_status status = s->v->tuned_items ? find_tuned(s, &tuned, &src) : QN_OK;
    how.tuned = tuned;
    if (status == QN_OK)
        status = qn_module_build(&s->module, s->device, &src, &how, &s->log);
    const char *backend = qn_device_get_info(s->device)->backend;
    if ((status == QN_E_UNSUPPORTED || status == QN_E_COMPILE) &&
        (qn__equal(backend, "opencl") || qn__equal(backend, "cpu"))) /* the translator's */
        status = build_without_others(s, &src, &how, status);
    qn_tuned_release(tuned);
    free(names);
    return status;
}

static qn_status load_image(struct session *s)
{
    const char *file = s->v->source.file;
    qn_image *image;
    const char *target = qn__ends_with(file, ".cl") ? "opencl:portable" : NULL;
    s->log.origin = QN_ORIGIN_LOADED;
    QN_TRY(qn_image_load(&image, file, target));
    const qn_status status = qn_module_load(&s->module, s->device, image);
    qn_image_release(image);
    return status;
}

static bool open_kernel(struct session *s)
{
    const qn_stream_options with_timing = {.timing = s->v->repeats > 0};
    qn__own_process_does("the device was opened", "");
    if (qn_device_open(&s->device, s->v->device) != QN_OK) {
        qn__complain_status("launch");
        return false;
    }
    if (s->v->heap_bytes && qn_device_set_heap(s->device, s->v->heap_bytes) != QN_OK) {
        qn__complain_status("launch: --heap");
        return false;
    }
    begin(s, "it was built", false);
    const char *file = s->v->source.file;
    const qn_status status = is_source(file) ? build_source(s) : load_image(s);
    if (status != QN_OK) {
        qn__complain_build("launch", file, status, &s->log, s->v->verbose);
        return false;
    }
    qn__print_log(&s->log, s->v->verbose);
    if (qn_kernel_find(&s->kernel, s->module, s->v->kernel) != QN_OK ||
        qn_stream_create(&s->stream, s->device, &with_timing) != QN_OK) {
        fail(s);
        return false;
    }
    return true;
}

/* Compare the words with the parameters, where those are known. */
static bool check_args(const struct session *s)
{
    const qn_kernel_info *info = qn_kernel_get_info(s->kernel);
    if (!info->args_known) {
        qn__complain(0,
                     "note: the parameters of %s are not known to the driver or the image; "
                     "arguments are passed unchecked",
                     info->name);
        return true;
    }
    if (info->n_args != s->n) {
        struct qn__str list = {0};
        for (uint32_t i = 0; i < info->n_args; i++)
            qn__str_printf(&list, "%s%s%s%s", i ? ", " : "", info->args[i].type,
                           info->args[i].type[0] ? " " : "", info->args[i].name);
        qn__complain(0, "launch: %s takes %u arguments (%s), %u are given", info->name,
                     info->n_args, list.text ? list.text : "", s->n);
        qn__str_release(&list);
        return false;
    }
    for (uint32_t i = 0; i < s->n; i++)
        if (qn__launch_arg_check(&s->args[i], &info->args[i], i) != QN_OK) {
            fail(s);
            return false;
        }
    return true;
}

/* ---- buffers ---- */

static qn_status prepare(struct session *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct qn__launch_arg *arg = &s->args[i];
        struct buffer *buffer = &s->buffers[i];
        const bool is_value = arg->form == QN__ARG_NUMBER || arg->form == QN__ARG_BYTES;
        s->pointers[i] = is_value ? (void *)arg->value : (void *)&buffer->addr;
        if (arg->form != QN__ARG_BUFFER)
            continue;
        const uint64_t bytes = qn__launch_arg_bytes(arg);
        buffer->host = malloc(bytes);
        if (!buffer->host)
            return qn__fail(QN_E_MEMORY, "argument %u: no %llu bytes of host memory", i,
                            (unsigned long long)bytes);
        QN_TRY(qn__launch_arg_fill(buffer->host, arg));
        QN_TRY(qn_memory_alloc(&buffer->addr, s->device, bytes));
        QN_TRY(qn_memory_upload(s->device, buffer->addr, buffer->host, bytes, NULL));
    }
    return QN_OK;
}

static qn_status launch_once(const struct session *s)
{
    void *const *const args = s->n ? s->pointers : NULL;
    return s->v->cooperative ? qn_stream_launch_cooperative(s->stream, s->kernel, &s->dims, args)
                             : qn_stream_launch(s->stream, s->kernel, &s->dims, args);
}

static qn_status launch_and_fetch(struct session *s)
{
    QN_TRY(launch_once(s));
    QN_TRY(qn_stream_sync(s->stream));
    for (uint32_t i = 0; i < s->n; i++) {
        if (!s->args[i].is_output)
            continue;
        QN_TRY(qn_memory_download(s->device, s->buffers[i].host, s->buffers[i].addr,
                                  qn__launch_arg_bytes(&s->args[i]), NULL));
        qn__number_summarize(&s->buffers[i].summary, s->buffers[i].host, s->args[i].type,
                             s->args[i].n_elems);
    }
    return QN_OK;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Each launch between two events of its own. */
static qn_status time_launches(struct session *s, qn_event *begin, qn_event *end)
{
    for (uint64_t i = 0; i < s->v->repeats; i++) {
        QN_TRY(qn_event_record(begin, s->stream));
        QN_TRY(launch_once(s));
        QN_TRY(qn_event_record(end, s->stream));
        QN_TRY(qn_event_sync(end));
        QN_TRY(qn_event_elapsed(&s->times_ms[i], begin, end));
        if (i % 16 == 0)
            qn__progress((uint32_t)i, (uint32_t)s->v->repeats, "launches");
    }
    qn__progress_clear();
    qsort(s->times_ms, s->v->repeats, sizeof s->times_ms[0], compare_doubles);
    return QN_OK;
}

static qn_status run_timing(struct session *s)
{
    qn_event *begin = NULL, *end = NULL;
    if (!s->v->repeats)
        return QN_OK;
    s->times_ms = calloc(s->v->repeats, sizeof *s->times_ms);
    if (!s->times_ms)
        return qn__fail(QN_E_MEMORY, "no memory for %llu times", (unsigned long long)s->v->repeats);
    qn_status status = qn_event_create(&begin, s->device);
    if (status == QN_OK)
        status = qn_event_create(&end, s->device);
    if (status == QN_OK)
        status = time_launches(s, begin, end);
    qn_event_destroy(begin);
    qn_event_destroy(end);
    return status;
}

/* ---- results ---- */

static const char *parameter_name(const struct session *s, uint32_t index)
{
    const qn_kernel_info *info = s->kernel ? qn_kernel_get_info(s->kernel) : NULL;
    return info && info->args_known ? info->args[index].name : "";
}

static void print_output(const struct session *s, uint32_t i)
{
    const struct qn__launch_arg *arg = &s->args[i];
    const struct qn__number_summary *sum = &s->buffers[i].summary;
    const unsigned char *host = s->buffers[i].host;
    const uint64_t n_shown = s->v->n_shown < arg->n_elems ? s->v->n_shown : arg->n_elems;
    struct qn__str text = {0};
    qn__str_printf(&text, "arg %u %s: %llu x %s", i, qn__plain(parameter_name(s, i)),
                   (unsigned long long)arg->n_elems, qn__number_name(arg->type));
    if (sum->n_finite)
        qn__str_printf(&text, ", min %g, max %g, mean %g", sum->min, sum->max, sum->mean);
    if (sum->n_nan)
        qn__str_printf(&text, ", %llu NaN", (unsigned long long)sum->n_nan);
    if (sum->n_infinite)
        qn__str_printf(&text, ", %llu infinite", (unsigned long long)sum->n_infinite);
    for (uint64_t e = 0; e < n_shown; e++) {
        qn__str_add(&text, e ? " " : "\n ");
        if (!e)
            qn__str_add_char(&text, ' ');
        qn__number_print(&text, host + e * qn__number_bytes(arg->type), arg->type);
    }
    if (n_shown && n_shown < arg->n_elems)
        qn__str_add(&text, " ...");
    puts(text.text ? text.text : "");
    qn__str_release(&text);
}

static void print_text(const struct session *s)
{
    const qn_device_info *d = qn_device_get_info(s->device);
    const qn_dims *dims = &s->dims;
    printf("%s on %s (%s), grid %u,%u,%u, block %u,%u,%u, %u bytes of dynamic shared memory\n",
           s->v->kernel, d->id, d->name, dims->grid[0], dims->grid[1], dims->grid[2],
           dims->block[0], dims->block[1], dims->block[2], dims->shared_bytes);
    qn_kernel_attributes a;
    if (s->v->verbose && qn_kernel_get_attributes(&a, s->kernel) == QN_OK)
        printf("%u registers, %llu bytes of static shared and %llu of local memory, blocks of up "
               "to %u threads (%u preferred)\n",
               a.registers, (unsigned long long)a.static_shared_bytes,
               (unsigned long long)a.local_bytes, a.block_threads_max, a.block_threads_preferred);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->args[i].is_output)
            print_output(s, i);
    const uint64_t n = s->v->repeats;
    if (n)
        printf("time: median %.4f ms, min %.4f, max %.4f of %llu launches\n", s->times_ms[n / 2],
               s->times_ms[0], s->times_ms[n - 1], (unsigned long long)n);
}

static json_t *json_of_output(const struct session *s, uint32_t i)
{
    const struct qn__launch_arg *arg = &s->args[i];
    const struct qn__number_summary *sum = &s->buffers[i].summary;
    json_t *first = json_array();
    for (uint64_t e = 0; e < s->v->n_shown && e < arg->n_elems; e++) {
        const void *at = s->buffers[i].host + e * qn__number_bytes(arg->type);
        const double x = qn__number_load(at, arg->type);
        struct qn__str text = {0};
        qn__number_print(&text, at, arg->type);
        if (qn__number_is_float(arg->type) && isfinite(x))
            json_array_append_new(first, json_real(x));
        else if (qn__number_is_float(arg->type) || arg->type == QN__NUMBER_U64)
            json_array_append_new(first, qn__json_string(text.text)); /* not a JSON number */
        else
            json_array_append_new(first, json_integer((json_int_t)strtoll(text.text, NULL, 10)));
        qn__str_release(&text);
    }
    return json_pack(
        "{s:i, s:o, s:s, s:I, s:o, s:o, s:o, s:I, s:I, s:o}", "index", (int)i, "name",
        qn__json_string(parameter_name(s, i)), "type", qn__number_name(arg->type), "count",
        (json_int_t)arg->n_elems, "min", sum->n_finite ? json_real(sum->min) : json_null(), "max",
        sum->n_finite ? json_real(sum->max) : json_null(), "mean",
        sum->n_finite ? json_real(sum->mean) : json_null(), "nan", (json_int_t)sum->n_nan,
        "infinite", (json_int_t)sum->n_infinite, "first", first);
}

static int print_json(const struct session *s)
{
    json_t *outputs = json_array(), *times = json_array();
    for (uint32_t i = 0; i < s->n; i++)
        if (s->args[i].is_output)
            json_array_append_new(outputs, json_of_output(s, i));
    for (uint64_t i = 0; i < s->v->repeats; i++)
        json_array_append_new(times, json_real(s->times_ms[i]));
    const qn_dims *d = &s->dims;
    return qn__json_print(json_pack(
        "{s:o, s:o, s:[i,i,i], s:[i,i,i], s:i, s:s, s:f, s:o, s:o}", "kernel",
        qn__json_string(s->v->kernel), "device", qn__json_string(qn_device_get_info(s->device)->id),
        "grid", (int)d->grid[0], (int)d->grid[1], (int)d->grid[2], "block", (int)d->block[0],
        (int)d->block[1], (int)d->block[2], "shared_bytes", (int)d->shared_bytes, "build",
        qn__origin_text(s->log.origin), "build_ms", s->log.ms, "outputs", outputs, "times_ms",
        times));
}

static bool save_outputs(const struct session *s)
{
    bool good = true;
    for (uint32_t i = 0; s->v->save_dir && i < s->n; i++) {
        if (!s->args[i].is_output)
            continue;
        struct qn__str path = {0};
        qn__str_printf(&path, "%s/arg%u.%s", s->v->save_dir, i, qn__number_name(s->args[i].type));
        good &= path.text &&
                qn__write_file(path.text, s->buffers[i].host, qn__launch_arg_bytes(&s->args[i]));
        qn__str_release(&path);
    }
    return good;
}

static bool check_finite(const struct session *s)
{
    bool good = true;
    for (uint32_t i = 0; s->v->check_nan && i < s->n; i++) {
        const struct qn__number_summary *sum = &s->buffers[i].summary;
        if (sum->n_nan + sum->n_infinite) {
            qn__complain(0, "launch: %s: argument %u holds %llu NaN and %llu infinite elements",
                         s->v->kernel, i, (unsigned long long)sum->n_nan,
                         (unsigned long long)sum->n_infinite);
            good = false;
        }
    }
    return good;
}

static int run_session(struct session *s)
{
    if (!parse_words(s))
        return QN__EXIT_USAGE;
    if (!open_kernel(s) || !check_args(s))
        return QN__EXIT_FAILED;
    if (prepare(s) != QN_OK)
        return fail(s);
    begin(s, "it ran", true);
    if (launch_and_fetch(s) != QN_OK || run_timing(s) != QN_OK)
        return fail(s);
    qn__own_process_does("its outputs were shown", "");
    int status = QN__EXIT_GOOD;
    if (s->v->json)
        status = print_json(s);
    else
        print_text(s);
    return save_outputs(s) && check_finite(s) ? status : QN__EXIT_FAILED;
}

static int launch(const void *values)
{
    const struct values *v = values;
    struct session s = {.v = v, .n = v->args.n};
    s.args = calloc(s.n + 1, sizeof *s.args);
    s.buffers = calloc(s.n + 1, sizeof *s.buffers);
    s.pointers = calloc(s.n + 1, sizeof *s.pointers);
    const int status = s.args && s.buffers && s.pointers
                           ? run_session(&s)
                           : qn__complain(QN__EXIT_FAILED, "out of memory");
    qn_stream_destroy(s.stream);
    for (uint32_t i = 0; s.buffers && i < s.n; i++) {
        if (s.buffers[i].addr)
            qn_memory_free(s.device, s.buffers[i].addr);
        free(s.buffers[i].host);
    }
    qn_module_close(s.module);
    qn_device_close(s.device);
    qn_log_release(&s.log);
    free(s.times_ms);
    free(s.pointers);
    free(s.buffers);
    free(s.args);
    return status;
}

/* ---- under a sanitizer ---- */

static int show_sanitized(struct session *s, const struct qn__sanitize *done)
{
    json_t *const outputs = json_array();
    int status = json_array_size(done->found) ? QN__EXIT_FAILED : QN__EXIT_GOOD;
    if (!s->v->json)
        qn__sanitize_print(done);
    for (uint32_t i = 0; i < s->n; i++) {
        s->buffers[i].host = done->outputs[i];
        if (!done->outputs[i])
            continue;
        qn__number_summarize(&s->buffers[i].summary, done->outputs[i], s->args[i].type,
                             s->args[i].n_elems);
        if (s->v->json)
            json_array_append_new(outputs, json_of_output(s, i));
        else
            print_output(s, i);
    }
    if (!s->v->json)
        json_decref(outputs);
    else if (qn__json_print(json_pack("{s:o, s:s, s:O, s:o}", "kernel",
                                      qn__json_string(s->v->kernel), "sanitizer", s->v->sanitize,
                                      "found", done->found, "outputs", outputs)) != QN__EXIT_GOOD)
        status = QN__EXIT_FAILED;
    return save_outputs(s) && check_finite(s) ? status : QN__EXIT_FAILED;
}

static int launch_sanitized(const struct values *v)
{
    struct qn__sanitize how = {.command = "launch",
                               .source = &v->source,
                               .kernel = v->kernel,
                               .kind = v->sanitize,
                               .shared_bytes = v->shared_bytes,
                               .heap_bytes = v->heap_bytes,
                               .words = &v->args,
                               .verbose = v->verbose};
    struct session s = {.v = v, .n = v->args.n};
    int status = QN__EXIT_FAILED;
    if (v->device || v->repeats)
        return qn__complain(QN__EXIT_USAGE, "launch: --sanitize runs a kernel in a program of its "
                                            "own, once: without --device and --time");
    if (!is_source(v->source.file))
        return qn__complain(QN__EXIT_USAGE, "launch: --sanitize takes kernel source");
    if (qn__launch_axes_parse(how.grid, "grid", v->grid) != QN_OK ||
        qn__launch_axes_parse(how.block, "block", v->block) != QN_OK) {
        qn__complain_status("launch");
        return QN__EXIT_USAGE;
    }
    s.buffers = calloc(s.n + 1, sizeof *s.buffers);
    if (!s.buffers)
        return qn__complain(QN__EXIT_FAILED, "out of memory");
    if (qn__sanitize_run(&how)) {
        s.args = how.args;
        status = show_sanitized(&s, &how);
    }
    free(s.buffers);
    qn__sanitize_release(&how);
    return status;
}

static int run(const void *values)
{
    const struct values *const v = values;
    if (v->sanitize)
        return launch_sanitized(v);
    if (v->gdb)
        return qn__launch_in_gdb(v->source.file, v->kernel);
    if (qn__getenv("QUERN_DEBUG")) /* a debugger sees the process that it started */
        return launch(values);
    return qn__in_own_process(launch, values, "launch", ((const struct values *)values)->kernel);
}

const struct qn__command qn__cmd_launch = {
    .name = "launch",
    .brief = "run one kernel on random, ramp, constant or file data",
    .about =
        "Build FILE (kernel source, or an image made by `quern compile`), run KERNEL once, and "
        "print its outputs. Each --arg describes the kernel's next argument:\n"
        "\n"
        "  TYPE:VALUE                      a number: f32:0.5, i32:-3, u64:0xff\n"
        "  in:TYPE:COUNT[:FILL]            a buffer the kernel reads\n"
        "  out:TYPE:COUNT[:FILL]           a buffer it writes: printed afterwards\n"
        "  inout:TYPE:COUNT[:FILL]         both\n"
        "  hex:BYTES                       a struct by value, first byte first\n"
        "  null                            a null pointer\n"
        "\n"
        "TYPE: i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64. COUNT: 1024, 4k, 16x64.\n"
        "FILL: zero (default), poison (default of out: every byte 0xff, NaN in floating point), "
        "const:VALUE, ramp[:START[:STEP]], rand[:SEED] (floats in [-1, 1), integers below 100), "
        "file:PATH (raw bytes). Arguments are compared with the kernel's parameters where those "
        "are known. The kernel runs in a process of its own: one that ends it, as a store out of "
        "bounds does on a CPU, is reported. QUERN_WATCHDOG=SECONDS gives up on one that never "
        "ends, QUERN_CPU_WATCHDOG=SECONDS ends one on cpu:0. --sanitize and --gdb look into a "
        "kernel as C (docs/debugging.md).",
    .sample = "launch saxpy.cu saxpy -g 4 -b 256 -a inout:f32:1024:ramp -a in:f32:1024:const:2 "
              "-a f32:0.5 -a i32:1024\n"
              "launch reduce.cu 'sum<float>' -g 1 -b 128 -s 512 -a out:f32:1 -a in:f32:1m:rand:7 "
              "-a i32:1048576 --time 50\n"
              "launch out/saxpy.cuda_sm_90.qni saxpy -a out:f32:4 ... --device cuda --save results",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
