/* SPDX-License-Identifier: Apache-2.0
 *
 * The main paths of the library and the program. Answers are the same in every run. */
#include "tests/faults/scenarios.h"

#define COMPILE  "compile k.cu -t opencl:portable --raw -o out"
#define COMPILED "out/k.opencl_portable.cl"
#define BOTH     "compile k.cu -t opencl:portable;compile l.cu -t opencl:portable"
#define BUNDLE   BOTH ";bundle create --from-cache -o x.qnb"
#define SERVER                                                                                     \
    "QUERN_REMOTE=http://127.0.0.1:$PORT/kernels QUERN_REMOTE_PUT=1 QUERN_REMOTE_KEY=@/key"
#define KEY "bundle keygen -o key"
#define MODEL                                                                                      \
    "model random -o m.gguf --dim 32 --layers 1 --heads 2 --kv-heads 1 --ffn 64 --vocab-size 300 " \
    "--ctx 64 -s 1"
#define LAUNCH "launch k.cu k -b 8 -a out:i32:8 -d opencl"
#define RUN    "run m.gguf -d opencl -q --temp 0 -n 2 -p ab"

const struct scenario scenarios[] = {
    {.name = "cold compile", .command = COMPILE, .answer = COMPILED},
    {.name = "hit on disk", .before = BOTH, .command = COMPILE, .answer = COMPILED},
    {.name = "recorded compile",
     .before = BOTH,
     .command = COMPILE,
     .answer = COMPILED,
     .set = "QUERN_RECORD=@/log"},
    {.name = "hit in a bundle",
     .before = BUNDLE ";cache clear",
     .command = COMPILE,
     .answer = COMPILED,
     .set = "QUERN_BUNDLE=@/x.qnb"},
    {.name = "hit in the shared cache",
     .before = KEY ";compile k.cu -t opencl:portable;cache clear",
     .command = COMPILE,
     .answer = COMPILED,
     .set = SERVER},
    {.name = "storing in the shared cache",
     .before = KEY,
     .command = "compile l.cu -t opencl:portable --raw -o out",
     .answer = "out/l.opencl_portable.cl",
     .set = SERVER},
    {.name = "bundle create",
     .before = BOTH,
     .command = "bundle create --from-cache -o x.qnb",
     .answer = "x.qnb"},
    {.name = "bundle merge",
     .before = BUNDLE,
     .command = "bundle merge -o y.qnb x.qnb x.qnb",
     .answer = "y.qnb"},
    {.name = "bundle verify",
     .before = BUNDLE ";bundle keygen -o key;bundle sign x.qnb --key key",
     .command = "bundle verify x.qnb"},
    {.name = "prewarm", .command = "prewarm m.json -j 2 -o x.qnb", .answer = "x.qnb"},
    {.name = "cache ls", .before = BOTH, .command = "cache ls --json"},
    {.name = "cache verify", .before = BOTH, .command = "cache verify"},
    {.name = "cache gc", .changes = true, .before = BOTH, .command = "cache gc --max-entries 1"},
    {.name = "cache clear", .changes = true, .before = BOTH, .command = "cache clear"},
    {.name = "translate", .command = "translate k.cu"},
    {.name = "why", .before = BOTH, .command = "why k.cu -t opencl:portable", .line = "key       "},
    {.name = "why not",
     .before = BOTH,
     .command = "why k.cu -t opencl:portable -DN=1",
     .line = "key       "},
    {.name = "model ls", .before = MODEL, .command = "model ls m.gguf --json"},
    {.name = "model random", .command = MODEL, .answer = "m.gguf"},
    {.name = "model convert",
     .before = MODEL,
     .command = "model convert m.gguf -t q8_0 -o n.gguf",
     .answer = "n.gguf"},
    {.name = "the translator",
     .program = "quern-translate",
     .real_compiler = true,
     .command = "translate k.cu --no-cache",
     .needs = "translator"},
    {.name = "NVRTC",
     .program = "quern-rtc",
     .real_compiler = true,
     .command = "compile k.cu -t cuda:sm_80 --raw -o out",
     .answer = "out/k.cuda_sm_80.cubin",
     .needs = "nvrtc"},
    /* With more folders to search arenas grow elsewhere: in the list of what NVRTC makes. */
    {.name = "NVRTC, after four folders",
     .program = "quern-rtc",
     .real_compiler = true,
     .command = "compile k.cu -t cuda:sm_80 --raw -o out",
     .answer = "out/k.cuda_sm_80.cubin",
     .set = "LD_LIBRARY_PATH=/opt/there/is/nothing/in/this/folder/1/usr/lib/x86_64-linux-gnu:"
            "/opt/there/is/nothing/in/this/folder/2/usr/lib/x86_64-linux-gnu:"
            "/opt/there/is/nothing/in/this/folder/3/usr/lib/x86_64-linux-gnu:"
            "/opt/there/is/nothing/in/this/folder/4/usr/lib/x86_64-linux-gnu",
     .needs = "nvrtc"},
    {.name = "launch",
     .real_compiler = true,
     .before = LAUNCH,
     .command = LAUNCH,
     .needs = "opencl"},
    {.name = "run",
     .is_long = true,
     .real_compiler = true,
     .before = MODEL ";" RUN,
     .command = RUN,
     .needs = "opencl"},
};
const unsigned n_scenarios = sizeof scenarios / sizeof scenarios[0];
