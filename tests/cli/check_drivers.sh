#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Broken drivers, made here: each is tried out in a process of its own, listed with the reason and left alone, and
# what else there is works on. The result is kept until something changes.
#
# covers: rtc/devices rtc/build_mark rtc/client/driver_trial rtc/key/driver_record rtc/helper/try_driver runtime/opencl/opencl_icd
source "$(dirname "$0")/../shell.sh"
export QUERN_CACHE_DIR=$scratch/cache
mkdir "$scratch/none"
tried=$scratch/tried

# A helper that counts the trials.
cat >"$scratch/quern-rtc" <<SCRIPT
#!/bin/sh
case \$1 in --try-*) echo "\$*" >>"$tried" ;; esac
exec "$QUERN_RTC" "\$@"
SCRIPT
chmod 755 "$scratch/quern-rtc"
export QUERN_RTC=$scratch/quern-rtc
trials() { # how many since the last time
    [ ! -f "$tried" ] || wc -l <"$tried"
    rm -f "$tried"
}

# functions LIST VALUE [C]...: a library's text, in which each function of the list that C does not define returns VALUE
functions() {
    local list=$1 value=$2 name
    shift 2
    printf '#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n%s\n' "$*"
    sed -nE 's/^QN_(SYM|OPT)\(\w+, *(\w+),.*/\2/p' "$list" | sort -u | while read -r name; do
        case "$*" in *[\ \*]"$name("*) ;; *) echo "int $name() { return $value; }" ;; esac
    done
}
library() { # FILE [OPTION]...: from C on stdin
    local file=$1
    shift
    mkdir -p "$(dirname "$file")"
    ${CC:-cc} -w -shared -fPIC -o "$file.new" -x c - "$@" && mv "$file.new" "$file"
}
cuda() { functions runtime/cuda/cuda.sym 0 "$@" | library "$scratch/driver/libcuda.so.1"; }
hip() { functions runtime/hip/hip.sym 0 "$@" | library "$scratch/driver/libamdhip64.so"; }
icd() { # the text of a driver behind the OpenCL loader
    printf '#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n%s\n' "$*" | library "$scratch/icd/libbroken.so"
    echo "$scratch/icd/libbroken.so" >"$scratch/icd/broken.icd"
}
devices() { run env LD_LIBRARY_PATH="$scratch/driver" timeout 60 "$QUERN" devices --no-probe --json; }
# reason BACKEND PATTERN: of the driver that was left out
reason() {
    exits "$case" 0
    tr -d '\n' <"$out" >"$scratch/line"
    holds "$case: the reason" grep -qE "\"backend\": \"$1\",[^}]*\"reason\": \"[^\"]*$2" "$scratch/line"
}
left_alone() { # BACKEND PATTERN
    devices
    reason "$1" "$2[^}]*left alone until"
    holds "$case: it was tried out" test "$(trials)" -ge 1
    devices
    reason "$1" "$2"
    holds "$case: nobody is asked again" test -z "$(trials)"
}
# The address sanitizer turns the signals of a crash into an exit code.
crash='(crashed with signal [0-9]+ \([A-Z][^)]*\)|ended the process with code [0-9]+)'

# ---- CUDA and HIP ----
unset QUERN_DEVICE
export QUERN_BACKEND=cuda,hip
case='an abort in a constructor'
cuda '__attribute__((constructor)) void begin(void) { abort(); }'
left_alone cuda "$crash while it was loaded"
holds "$case: the file is named" grep -qF "$scratch/driver/libcuda.so.1" "$out"
case='another file of that name'
cuda 'int cuInit(int f) { *(volatile int *)0 = 1; return 0; }'
left_alone cuda "$crash while it was asked for its devices"
case='its last words'
cuda 'int cuInit(int f) { const char text[] = "first\nno such \033[31mluck\n"; write(2, text, sizeof text - 1); _exit(3); }'
left_alone cuda 'ended the process with code 3 while it was asked for its devices; it said: no such \\\\x1b.31mluck'
case='an absurd count'
cuda 'int cuDeviceGetCount(int *n) { *n = 2000000000; return 0; }' 'int cuDeviceGetName(char *p, int n, int d) { *p = 0; return 0; }'
left_alone cuda 'the driver claims to have 2000000000 devices'
case='a negative count'
cuda 'int cuDeviceGetCount(int *n) { *n = -5; return 0; }'
left_alone cuda 'the driver claims to have -5 devices'
case='a name without its end'
cuda 'int cuDeviceGetCount(int *n) { *n = 1; return 0; }' 'int cuDeviceGetName(char *p, int n, int d) { memset(p, 65, n); return 0; }'
left_alone cuda 'the driver writes names of devices without their end'
case='a driver that says no'
cuda 'int cuInit(int f) { return 999; }' 'int cuGetErrorName(int e, const char **p) { *p = "CUDA_ERROR_UNKNOWN"; return 0; }'
devices
reason cuda 'cuInit returns 999 \(CUDA_ERROR_UNKNOWN\)'
trials >"$scratch/count"
devices
reason cuda 'cuInit returns 999'
holds "$case: it is good, and nobody is asked again" test -z "$(trials)"
silent "$case"
case='a good driver of which there is another version'
cuda 'int cuInit(int f) { return 998; }'
devices
reason cuda 'cuInit returns 998'
complains "$case" 'the driver of cuda has changed since it was used last; quern doctor --selftest'
devices
silent "$case: it is said once"
trials >"$scratch/count"
case='a library that the driver needs'
echo 'int needed(void) { return 1; }' | library "$scratch/driver/libneeded.so"
functions runtime/cuda/cuda.sym 0 'int needed(void); int cuInit(int f) { return needed() + 99; }' |
    library "$scratch/driver/libcuda.so.1" -L"$scratch/driver" -lneeded
devices
holds "$case: it is tried out" test "$(trials)" = 1
devices
holds "$case: once" test -z "$(trials)"
echo 'int needed(void) { abort(); }' | library "$scratch/driver/libneeded.so"
left_alone cuda "$crash while it was asked for its devices"
case='a file cut short'
head -c 5000 "$scratch/driver/libcuda.so.1" >"$scratch/short" && cp "$scratch/short" "$scratch/driver/libcuda.so.1"
devices
holds "$case" test "$status" = 0
trials >"$scratch/count"
case='a runtime of AMD that aborts'
rm "$scratch/driver/libcuda.so.1"
hip '__attribute__((constructor)) void begin(void) { abort(); }'
left_alone hip "$crash while it was loaded"
case='an absurd count of AMD cards'
hip 'int hipGetDeviceCount(int *n) { *n = 1000000; return 0; }'
left_alone hip 'the runtime claims to have 1000000 devices'
case='a name of an AMD card without its end'
hip 'int hipGetDeviceCount(int *n) { *n = 1; return 0; }' 'int hipGetDevicePropertiesR0600(char *p, int d) { memset(p, 65, 1400); return 0; }'
left_alone hip 'the runtime writes names of devices without their end'
case='a runtime of AMD that hangs'
hip 'int hipInit(int f) { for (;;) pause(); }'
left_alone hip 'did nothing for 5 s while it was asked for its devices'

# ---- programs that want that driver ----
case='a program without another device'
export QUERN_BACKEND=hip
printf 'extern "C" __global__ void k(int *o) { *o = 7; }\n' >"$scratch/k.cu"
launch() { run env LD_LIBRARY_PATH="$scratch/driver" timeout 60 "$QUERN" launch "$scratch/k.cu" k -g 1 -b 1 -a out:i32:1; }
launch
exits "$case" 1
complains "$case" 'hip libamdhip64.so: tried out in a process of its own: did nothing for 5 s'
running() { # trials of this test
    local p
    grep -lF "$scratch" /proc/[0-9]*/environ 2>/dev/null | while read -r p; do
        grep -qe '--try-' "${p%environ}cmdline" 2>/dev/null && echo "$p"
    done
}
case='a program that is killed while it tries a driver out'
env QUERN_CACHE_DIR="$scratch/cache3" LD_LIBRARY_PATH="$scratch/driver" "$QUERN" devices --no-probe >"$out" 2>&1 &
pid=$!
for _ in $(seq 600); do
    [ -z "$(running)" ] || break
    sleep 0.05
done
holds "$case: the trial runs" test -n "$(running)"
kill -9 "$pid"
wait "$pid" 2>/dev/null
for _ in $(seq 100); do
    [ -n "$(running)" ] || break
    sleep 0.05
done
holds "$case: the trial ends" test -z "$(running)"
rm -f "$tried"
case='QUERN_TRUST_DRIVERS=1'
hip '__attribute__((constructor)) void begin(void) { _exit(77); }'
run env QUERN_TRUST_DRIVERS=1 LD_LIBRARY_PATH="$scratch/driver" "$QUERN" devices --no-probe
exits "$case: the driver is loaded" 77
holds "$case: no trial" test -z "$(trials)"
case='a program without a helper'
hip 'int hipInit(int f) { return 3; }' 'const char *hipGetErrorName(int e) { return "hipErrorNotInitialized"; }'
run env QUERN_RTC="$scratch/missing" QUERN_LOG=debug QUERN_CACHE_DIR="$scratch/cache2" LD_LIBRARY_PATH="$scratch/driver" "$QUERN" devices --no-probe
exits "$case" 0
says "$case" hipErrorNotInitialized
holds "$case: it is said once" test "$(grep -c 'drivers are not tried out' "$err")" = 1
run env QUERN_RTC=/bin/true QUERN_CACHE_DIR="$scratch/cache2" LD_LIBRARY_PATH="$scratch/driver" "$QUERN" devices --no-probe
exits 'a helper that is another program' 0
says 'a helper that is another program' hipErrorNotInitialized

# ---- OpenCL: one of several ----
export QUERN_BACKEND=opencl OCL_ICD_VENDORS=$scratch/icd
rm -rf "$scratch/driver"
mkdir -p "$scratch/icd"
pocl=$(cat /etc/OpenCL/vendors/pocl.icd 2>/dev/null)
if [ -n "$pocl" ]; then
    echo "$pocl" >"$scratch/icd/pocl.icd"
else
    echo 'skip: a good OpenCL driver beside a broken one: PoCL is not installed'
fi
others_work() {
    [ -n "$pocl" ] || return
    holds "$case: the other driver is there" grep -qF '"id": "opencl:0"' "$out"
    launch
    exits "$case: a kernel runs there" 0
    says "$case: a kernel runs there" 7
}
table='static void *table[200]; static struct { void **t; } object = {table};'
platforms='int clIcdGetPlatformIDsKHR(unsigned n, void **p, unsigned *c) { if (c) *c = 1; if (p) *p = &object; return 0; } void *clGetExtensionFunctionAddress(const char *s) { return strcmp(s, "clIcdGetPlatformIDsKHR") ? NULL : (void *)clIcdGetPlatformIDsKHR; }'
text='int info(void *o, unsigned w, size_t n, void *p, size_t *r) { if (w == 0x0904 || w == 0x0920) { if (p) strcpy(p, w == 0x0920 ? "BRK" : "cl_khr_icd"); if (r) *r = w == 0x0920 ? 4 : 11; return 0; } if (p) memset(p, 65, n); if (r) *r = n ? n : 64; return 0; } int ids(void *o, long t, unsigned n, void **p, unsigned *c) { if (c) *c = COUNT; if (p) *p = &object; return 0; }'
fill='__attribute__((constructor)) void begin(void) { table[1] = table[3] = info; table[2] = ids; table[65] = clGetExtensionFunctionAddress; } int clGetPlatformInfo(void *o, unsigned w, size_t n, void *p, size_t *r) { return info(o, w, n, p, r); }'
case='an OpenCL driver that aborts'
icd '__attribute__((constructor)) void begin(void) { abort(); }'
left_alone opencl "$crash while it was loaded"
others_work
case='an OpenCL driver that crashes when it is asked'
icd 'int clIcdGetPlatformIDsKHR(unsigned n, void **p, unsigned *c) { *(volatile int *)0 = 1; return 0; } void *clGetExtensionFunctionAddress(const char *s) { return clIcdGetPlatformIDsKHR; }'
left_alone opencl "$crash while it was asked for its devices"
others_work
case='an OpenCL driver that gives names no end'
icd "$table$platforms${text/COUNT/1}$fill"
left_alone opencl 'the driver writes names without their end'
others_work
case='an OpenCL driver with an absurd count'
named=${text/memset(p, 65, n)/memset(p, 0, n)}
icd "$table$platforms${named/COUNT/4000000000u}$fill"
left_alone opencl 'the driver claims to have hundreds of devices'
others_work
case='an OpenCL driver cut short'
head -c 5000 "$scratch/icd/libbroken.so" >"$scratch/short" && cp "$scratch/short" "$scratch/icd/libbroken.so"
devices
exits "$case" 0
others_work
case='a broken loader'
rm "$scratch"/icd/*broken*
printf '__attribute__((constructor)) void begin(void) { __builtin_trap(); }\n' | library "$scratch/driver/libOpenCL.so.1"
left_alone opencl "$crash while it was loaded"
others_work

# ---- a build that ends the process ----
unset OCL_ICD_VENDORS
functions runtime/opencl/opencl.sym 0 '#define ANSWER(type, ...) do { type a[] = {__VA_ARGS__}; if (r) *r = sizeof a; if (p && n >= sizeof a) memcpy(p, a, sizeof a); return 0; } while (0)
int clGetPlatformIDs(unsigned n, void **p, unsigned *c) { if (c) *c = 1; if (p) *p = &clGetPlatformIDs; return 0; }
int clGetPlatformInfo(void *o, unsigned w, size_t n, void *p, size_t *r) { static const char text[] = "OpenCL 3.0 fake"; if (w == 0x0920) return -30; if (p) memcpy(p, text, sizeof text); if (r) *r = sizeof text; return 0; }
int clGetDeviceIDs(void *o, long t, unsigned n, void **p, unsigned *c) { if (!(t & 2)) return -1; if (c) *c = 1; if (p) *p = o; return 0; }
int clGetDeviceInfo(void *o, unsigned w, size_t n, void *p, size_t *r) {
    switch (w) {
    case 0x1000: ANSWER(long, 2);
    case 0x1005: ANSWER(size_t, 256, 256, 256);
    case 0x1004: case 0x1017: ANSWER(size_t, 1024);
    case 0x100D: ANSWER(unsigned, 64);
    case 0x1010: case 0x101F: case 0x1023: ANSWER(long, 1 << 30);
    case 0x1002: case 0x1027: case 0x1028: ANSWER(unsigned, 1);
    case 0x1053: ANSWER(long, 1);
    case 0x102B: ANSWER(char, "Fake");
    case 0x102D: ANSWER(char, "1.0");
    case 0x102F: ANSWER(char, "OpenCL 3.0 fake");
    case 0x103D: ANSWER(char, "OpenCL C 1.2");
    }
    return -30;
}
void *made(int *e) { static int object; if (e) *e = 0; return &object; }
void *clCreateContext(void *a, unsigned b, void *c, void *d, void *e, int *f) { return made(f); }
void *clCreateCommandQueue(void *a, void *b, long c, int *d) { return made(d); }
void *clCreateProgramWithSource(void *a, unsigned b, void *c, void *d, int *e) { return made(e); }
void *clCreateKernel(void *a, void *b, int *c) { return made(c); }
int clGetKernelWorkGroupInfo(void *a, void *b, unsigned w, size_t n, void *p, size_t *r) { ANSWER(size_t, 256); }
void *clSVMAlloc(void *a, long b, size_t n, unsigned c) { return calloc(1, n); }
void clSVMFree(void *a, void *p) { free(p); }
int clEnqueueMarkerWithWaitList(void *a, unsigned b, void *c, void **d) { if (d) *d = made(0); return 0; }
int clGetEventInfo(void *a, unsigned b, size_t n, void *p, size_t *r) { memset(p, 0, n); return 0; }
int clBuildProgram(void *a, unsigned b, void *c, void *d, void *e, void *f) { const char *how = getenv("FAKE_BUILD"); if (how && !strcmp(how, "crash")) { const char text[] = "LLVM ERROR: out of registers\n"; write(2, text, sizeof text - 1); abort(); } return 0; }' |
    library "$scratch/driver/libOpenCL.so.1"
build() { # HOW KERNEL [VARIABLE=VALUE]
    local how=$1 kernel=$2
    shift 2
    printf 'extern "C" __global__ void k(int *o) { *o = %s; }\n' "$kernel" >"$scratch/build.cu"
    run env FAKE_BUILD="$how" LD_LIBRARY_PATH="$scratch/driver" "$@" timeout 60 "$QUERN" launch "$scratch/build.cu" k -g 1 -b 1 -a out:i32:1
}
marks() { find "$scratch/cache/builds" -type f 2>/dev/null | wc -l; }
case='a build that works'
build good 1
exits "$case" 0
holds "$case: no mark is left" test "$(marks)" = 0
trials >"$scratch/count"
case='a build that crashes'
build crash 2
exits "$case: the first time" 1
complains "$case: the first time" 'ended by SIGABRT'
holds "$case: there is a mark" test "$(marks)" = 1
holds "$case: nothing was tried" test -z "$(trials)"
build crash 2
exits "$case: the second time" 1
complains "$case" 'build.cu: not built, because the driver of opencl:0 (OpenCL 3.0 fake 1.0 (OpenCL 3.0 fake))'
complains "$case" 'while it was built; it said: LLVM ERROR: out of registers; to try it again, set QUERN_TRUST_DRIVERS=1 once'
holds "$case: it was tried in a process of its own" test "$(trials)" = 1
build good 2
exits "$case: from then on" 1
complains "$case: from then on" 'while it was built'
holds "$case: nobody is asked again" test -z "$(trials)"
build good 3
exits "$case: other kernels" 0
build good 2 QUERN_TRUST_DRIVERS=1
exits "$case: tried again" 0
build good 2
exits "$case: and good from then on" 0
holds "$case: no mark is left" test "$(marks)" = 0
case='a process that was killed while it built'
build crash 4
build good 4
exits "$case" 0
holds "$case: it was tried first" test "$(trials)" = 1
holds "$case: no mark is left" test "$(marks)" = 0
case='a build that only this program cannot bear'
build crash 5
for mark in "$scratch"/cache/builds/*; do printf '..' >>"$mark"; done
build good 5
exits "$case" 1
complains "$case" 'did not come back from building it in 3 processes'

# ---- what is kept ----
case='the cache'
holds "$case: there are records" test -n "$(ls "$scratch/cache/drivers")"
run "$QUERN" cache clear
exits "$case" 0
holds "$case: clear removes them" test -z "$(ls "$scratch/cache/drivers")"
case='when all is done'
holds "$case: no trial runs" test -z "$(running)"
finish
