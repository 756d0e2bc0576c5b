/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations that stand in front of translated C are the runtime's own: the same members at
 * the same places. */
#include "runtime/cpu/cpu_abi.h"

#include <stdio.h>

/* As the runtime has it; then the other one takes the names. */
#define PLACE(type, member) {#type "." #member, offsetof(struct type, member), sizeof(struct type)}
#define PLACES                                                                                     \
    {PLACE(qn_services, print),                                                                    \
     PLACE(qn_services, fail),                                                                     \
     PLACE(qn_services, allocate),                                                                 \
     PLACE(qn_services, release),                                                                  \
     PLACE(qn_services, allocate_aligned),                                                         \
     PLACE(qn_services, meet),                                                                     \
     PLACE(qn_services, grid_words),                                                               \
     PLACE(qn_services, nanoseconds),                                                              \
     PLACE(qn_block, block),                                                                       \
     PLACE(qn_block, blocks),                                                                      \
     PLACE(qn_block, items),                                                                       \
     PLACE(qn_block, shared),                                                                      \
     PLACE(qn_block, frame),                                                                       \
     PLACE(qn_block, services),                                                                    \
     PLACE(qn_kernel_entry, name),                                                                 \
     PLACE(qn_kernel_entry, run),                                                                  \
     PLACE(qn_kernel_entry, shared_bytes),                                                         \
     PLACE(qn_kernel_entry, frame_bytes),                                                          \
     PLACE(qn_kernel_entry, max_items),                                                            \
     PLACE(qn_kernel_entry, warp),                                                                 \
     PLACE(qn_kernel_entry, flags),                                                                \
     PLACE(qn_global_entry, name),                                                                 \
     PLACE(qn_global_entry, address),                                                              \
     PLACE(qn_global_entry, bytes)}
struct place {
    const char *name;
    size_t offset, size;
};
static const struct place ours[] = PLACES;
enum { OUR_VERSION = QN__CPU_ABI_VERSION, OUR_SHORT = QN__CPU_KERNEL_SHORT };

#define qn_services     c_services
#define qn_block        c_block
#define qn_kernel_entry c_kernel_entry
#define qn_global_entry c_global_entry
#include "compiler/lang/quern_c.h"
static const struct place theirs[] = PLACES;

int main(void)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (ours[i].offset != theirs[i].offset || ours[i].size != theirs[i].size) {
            printf("%s: at %zu of %zu bytes here, %zu of %zu there\n", ours[i].name, ours[i].offset,
                   ours[i].size, theirs[i].offset, theirs[i].size);
            wrong++;
        }
    if ((int)OUR_VERSION != (int)QN_ABI_VERSION || (int)OUR_SHORT != (int)QN_KERNEL_SHORT) {
        printf("version %d or flag %d differs\n", OUR_VERSION, OUR_SHORT);
        wrong++;
    }
    const int n = sizeof ours / sizeof *ours + 1;
    printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n", 100 * (n - wrong) / n, n, wrong);
    return wrong != 0;
}
