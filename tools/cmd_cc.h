/* SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TOOLS_CMD_CC_H
#define QN_TOOLS_CMD_CC_H

/* `quern cc` under the name nvcc or hipcc. */
int qn__cc_as(const char *name, int argc, char *const *argv);

#endif
