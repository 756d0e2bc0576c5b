/* SPDX-License-Identifier: Apache-2.0
 *
 * The main paths of the library and the program. Answers are the same in every run. */
#include "tests/faults/scenarios.h"

#define COMPILE  "compile k.cu -t opencl:portable --raw -o out"
#define COMPILED "out/k.opencl_portable.cl"
#define BOTH     "compile k.cu -t opencl:portable;compile l.cu -t opencl:portable"
#define BUNDLE   BOTH ";bundle create --from-cache -o x.qnb"
#define SERVER   "QUERN_REMOTE=http://127.0.0.1:$PORT/kernels "
#define MODEL                                                                                      \
    "model random -o m.gguf --dim 32 --layers 1 --heads 2 --kv-heads 1 --ffn 64 --vocab-size 300 " \
    "--ctx 64 -s 1"
#define LAUNCH "launch k.cu k -b 8 -a out:i32:8 -d opencl"
#define RUN    "run m.gguf -d opencl -q --temp 0 -n 2 -p ab"

const struct scenario scenarios[] = {
    {"cold compile", "quern", false, false, false, NULL, COMPILE, COMPILED, NULL, NULL, NULL},
    {"hit on disk", "quern", false, false, false, BOTH, COMPILE, COMPILED, NULL, NULL, NULL},
    {"recorded compile", "quern", false, false, false, BOTH, COMPILE, COMPILED, NULL,
     "QUERN_RECORD=@/log", NULL},
    {"hit in a bundle", "quern", false, false, false, BUNDLE ";cache clear", COMPILE, COMPILED,
     NULL, "QUERN_BUNDLE=@/x.qnb", NULL},
    {"hit in the shared cache", "quern", false, false, false, COMPILE ";cache clear", COMPILE,
     COMPILED, NULL, SERVER "QUERN_REMOTE_PUT=1", NULL},
    {"storing in the shared cache", "quern", false, false, false, NULL,
     "compile l.cu -t opencl:portable --raw -o out", "out/l.opencl_portable.cl", NULL,
     SERVER "QUERN_REMOTE_PUT=1", NULL},
    {"bundle create", "quern", false, false, false, BOTH, "bundle create --from-cache -o x.qnb",
     "x.qnb", NULL, NULL, NULL},
    {"bundle merge", "quern", false, false, false, BUNDLE, "bundle merge -o y.qnb x.qnb x.qnb",
     "y.qnb", NULL, NULL, NULL},
    {"bundle verify", "quern", false, false, false,
     BUNDLE ";bundle keygen -o key;bundle sign x.qnb --key key", "bundle verify x.qnb", NULL, NULL,
     NULL, NULL},
    {"prewarm", "quern", false, false, false, NULL, "prewarm m.json -j 2 -o x.qnb", "x.qnb", NULL,
     NULL, NULL},
    {"cache ls", "quern", false, false, false, BOTH, "cache ls --json", NULL, NULL, NULL, NULL},
    {"cache verify", "quern", false, false, false, BOTH, "cache verify", NULL, NULL, NULL, NULL},
    {"cache gc", "quern", false, false, true, BOTH, "cache gc --max-entries 1", NULL, NULL, NULL,
     NULL},
    {"cache clear", "quern", false, false, true, BOTH, "cache clear", NULL, NULL, NULL, NULL},
    {"translate", "quern", false, false, false, NULL, "translate k.cu", NULL, NULL, NULL, NULL},
    {"why", "quern", false, false, false, BOTH, "why k.cu -t opencl:portable", NULL, "key       ",
     NULL, NULL},
    {"why not", "quern", false, false, false, BOTH, "why k.cu -t opencl:portable -DN=1", NULL,
     "key       ", NULL, NULL},
    {"model ls", "quern", false, false, false, MODEL, "model ls m.gguf --json", NULL, NULL, NULL,
     NULL},
    {"model random", "quern", false, false, false, NULL, MODEL, "m.gguf", NULL, NULL, NULL},
    {"model convert", "quern", false, false, false, MODEL, "model convert m.gguf -t q8_0 -o n.gguf",
     "n.gguf", NULL, NULL, NULL},
    {"the translator", "quern-translate", false, true, false, NULL, "translate k.cu --no-cache",
     NULL, NULL, NULL, "translator"},
    {"NVRTC", "quern-rtc", false, true, false, NULL, "compile k.cu -t cuda:sm_80 --raw -o out",
     "out/k.cuda_sm_80.cubin", NULL, NULL, "nvrtc"},
    {"launch", "quern", false, true, false, LAUNCH, LAUNCH, NULL, NULL, NULL, "opencl"},
    {"run", "quern", true, true, false, MODEL ";" RUN, RUN, NULL, NULL, NULL, "opencl"},
};
const unsigned n_scenarios = sizeof scenarios / sizeof scenarios[0];
