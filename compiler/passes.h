/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry of every pass, from the list. What a pass needs and gives stands there too. */
#ifndef QN_COMPILER_PASSES_H
#define QN_COMPILER_PASSES_H

#include "compiler/core/unit.h"

#define QN__PASS_MODULE(function)                                        qn_status function(struct qn__unit *u);
#define QN__PASS_KERNEL(function)                                        void function(struct qn__function *f);
#define QN__PASS_TREE(function)                                          void function(struct qn__function *f);
#define QN_PASS(level, name, function, when, needs, gives, breaks, text) QN__PASS_##level(function)
#include "compiler/passes.def"
#undef QN__PASS_MODULE
#undef QN__PASS_KERNEL
#undef QN__PASS_TREE

#endif
