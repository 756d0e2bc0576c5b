/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's library calls, for host code that has to parse. */
#pragma clang system_header
#ifndef QN_STD_OMP_H
#define QN_STD_OMP_H

typedef struct {
    int owner;
} omp_lock_t;
extern "C" {
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_num_procs(void);
int omp_get_thread_num(void);
int omp_in_parallel(void);
void omp_set_num_threads(int);
void omp_set_nested(int);
void omp_set_dynamic(int);
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
}

#endif
