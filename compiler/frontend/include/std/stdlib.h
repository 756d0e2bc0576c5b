/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory, numbers from text, random numbers, the program. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_STDLIB_H
#define QN_STD_STDLIB_H

#include <stddef.h>
#include <sys/types.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX     2147483647
struct div_t {
    int quot, rem;
};
struct ldiv_t {
    long quot, rem;
};
extern "C" {
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void free(void *);
__attribute__((noreturn)) void exit(int);
__attribute__((noreturn)) void _Exit(int);
__attribute__((noreturn)) void abort();
int atexit(void (*)());
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
double strtod(const char *, char **);
float strtof(const char *, char **);
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
int rand();
void srand(unsigned);
int rand_r(unsigned *);
long random();
void srandom(unsigned);
double drand48();
double erand48(unsigned short *);
long lrand48();
long mrand48();
void srand48(long);
int abs(int);
long labs(long);
long long llabs(long long);
div_t div(int, int);
ldiv_t ldiv(long, long);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
char *getenv(const char *);
int setenv(const char *, const char *, int);
int system(const char *);
}

#endif
