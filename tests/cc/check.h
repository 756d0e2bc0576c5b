/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of this folder check themselves with: exit status 1 and a line for each
 * failure. */
#include <cstdio>
#include <cstdlib>

static int n_failed;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            n_failed++;                                                                            \
        }                                                                                          \
    } while (0)
#define GOOD(call)                                                                                 \
    do {                                                                                           \
        const cudaError_t e_ = (call);                                                             \
        if (e_ != cudaSuccess) {                                                                   \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(e_));            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define FINISH() return printf("%s\n", n_failed ? "FAIL" : "PASS"), n_failed != 0
