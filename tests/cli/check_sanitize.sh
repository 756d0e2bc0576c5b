#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Faults, debuggers and sanitizers of kernels on a CPU: what each says, with the line of the CUDA source.
#
# covers: tools/sanitize tools/kernel_words tools/launch_gdb runtime/cpu/cpu_watchdog
source "$(dirname "$0")/../shell.sh"
clang=${QUERN_CLANG:-clang-19}
if ! command -v "$clang" >/dev/null; then
    echo "skip: kernels under sanitizers: no $clang"
    exit 0
fi
cat >"$scratch/part.cuh" <<'EOF'
__device__ inline float pick(const float *a, long at)
{
    return a[at];
}
EOF
cat >"$scratch/k.cu" <<'EOF'
#include "part.cuh"
extern "C" __global__ void past(float *y, const float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = a[i];
}
extern "C" __global__ void shared_past(int *out)
{
    __shared__ int s[32], t[32];
    s[threadIdx.x] = threadIdx.x;
    t[threadIdx.x] = 7;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 1] + t[threadIdx.x];
}
extern "C" __global__ void dynamic_past(int *out)
{
    extern __shared__ int d[];
    d[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = d[threadIdx.x];
}
extern "C" __global__ void local_past(int *out, int n)
{
    int a[4] = {1, 2, 3, 4};
    a[n & 3] = out[0];
    out[1] = a[n];
}
extern "C" __global__ void races(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x * 2;
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
extern "C" __global__ void crosses(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void in_step(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 31];
}
extern "C" __global__ void shuffled(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    int v = __shfl_xor_sync(~0u, (int)threadIdx.x, 1);
    out[threadIdx.x] = s[threadIdx.x ^ 1] + v;
}
extern "C" __global__ void good(int *out, int n)
{
    __shared__ int s[2];
    int v = threadIdx.x, c = 0;
    for (int by = 16; by; by /= 2)
        v += __shfl_down_sync(~0u, v, by);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    c = __syncthreads_count(threadIdx.x < 5);
    unsigned b = __ballot_sync(~0u, threadIdx.x & 1);
    for (int k = threadIdx.x; k < n; k += 16)
        c += __any_sync(__activemask(), k == 40);
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0] + s[1] + c + (b == 0xaaaaaaaau);
}
extern "C" __global__ void all_blocks(int *out)
{
    if (threadIdx.x == 0)
        out[0] = blockIdx.x;
}
extern "C" __global__ void last_block(int *out, int *part, unsigned *ticket)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        __threadfence();
        is_last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        int s = 0;
        for (int i = 0; i < gridDim.x; i++)
            s += part[i];
        *out = s;
    }
}
extern "C" __global__ void odd(int *out, const char *p) { out[threadIdx.x] = *(const int *)(p + 1); }
extern "C" __global__ void null(int *out) { out[1] = 2; }
extern "C" __global__ void far(float *y, const float *a, long at) { y[threadIdx.x] = pick(a, at); }
extern "C" __global__ void spin(volatile int *flag, float *out)
{
    while (*flag == 0)
        out[threadIdx.x] += 1;
}
EOF
line_of() { grep -n -F "$1" "$scratch/k.cu" | head -1 | cut -d: -f1; }
check() { run "$QUERN" check "$scratch/k.cu" "$@"; }

# ---- faults ----
case ${QN_CONFIG:-release} in
asan | tsan) ;; # the sanitizer's
*)
    run "$QUERN" launch "$scratch/k.cu" far -d cpu:0 -b 4 -a out:f32:4 -a in:f32:4 -a i64:100000000000
    exits 'a fault' 1
    complains 'a fault' "far: k.cu:$(line_of 'void far'): invalid memory access at address 0x"
    for blocks in 1 100; do
        run env QUERN_CPU_WATCHDOG=1 timeout 60 "$QUERN" launch "$scratch/k.cu" spin -d cpu:0 -g $blocks -b 4 \
            -a in:i32:1 -a inout:f32:4
        exits "a kernel of $blocks blocks that does not end" 1
        complains "a kernel of $blocks blocks that does not end" 'did not end and was ended (QUERN_CPU_WATCHDOG)'
    done
    ;;
esac

# ---- a debugger ----
if command -v gdb >/dev/null && [ "${QN_CONFIG:-release}" = release ]; then
    printf '%s\n' next "tbreak k.cu:$(line_of 'y[i] = a[i]')" continue 'print n' 'print i' next 'print y[0]' \
        continue quit >"$scratch/gdb.in"
    "$QUERN" launch "$scratch/k.cu" past --gdb -b 4 -a out:f32:4 -a in:f32:4:const:3 -a i32:3 \
        <"$scratch/gdb.in" >"$out" 2>"$err"
    says 'gdb stops at a line of the source' "$(line_of 'int i = blockIdx.x')	    int i = blockIdx.x"
    says 'gdb shows a parameter' '1 = 3'
    says 'gdb shows a variable' '2 = 0'
    says 'gdb steps' '3 = 3'
    says 'the kernel runs on' 'arg 0 y: 4 x f32, min 3, max 3'
    # docs/debugging.md's story: across barriers, one work-item of many, what lives in arrays
    cat >"$scratch/sum.cu" <<'EOF'
extern "C" __global__ void block_sum(float *out, const float *in, int n)
{
    __shared__ float warps[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, by);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++)
            sum += warps[w];
        out[blockIdx.x] = sum;
    }
}
EOF
    # shellcheck disable=SC2016
    printf '%s\n' next next 'print i' 'break sum.cu:9 if qn_x == 32' continue 'print sum' 'tbreak sum.cu:14' continue 'print sum' \
        'print qn_shared->warps[0]@2' 'print sum_at[33]' 'info sharedlibrary kernel.so' \
        'shell objcopy --dump-section .quern_c="$TMPDIR/kernel.c" "$TMPDIR"/quern-*/kernel.so /dev/null' \
        continue quit >"$scratch/gdb.in"
    (cd "$scratch" && mkdir temp && TMPDIR=$scratch/temp "$QUERN" launch sum.cu block_sum -b 64 -a out:f32:1 \
        -a in:f32:64:ramp -a i32:64 --gdb) <"$scratch/gdb.in" >"$out" 2>"$err"
    says 'gdb steps to the second statement' '5	    float sum = i < n ? in[i] : 0.0f;'
    says 'gdb stops in one work-item' '9	        warps[threadIdx.x / 32] = sum;'
    says 'gdb shows its sum' '2 = 1520'
    says 'gdb stops behind the barrier' '14	        out[blockIdx.x] = sum;'
    says 'gdb shows the sum of all' '3 = 2016'
    says 'gdb shows shared memory' '4 = {496, 1520}'
    says 'gdb shows another work-item' '5 = 1536'
    holds 'the text is in the object' grep -q '^static inline void qn_block_block_sum' "$scratch/temp/kernel.c"
    holds 'line 9 is reached once' [ "$(grep -c '^9	' "$out")" = 1 ]
    says 'the kernel runs on to its end' 'arg 0 out: 1 x f32, min 2016, max 2016'
else
    echo 'skip: a kernel in gdb: gdb is not installed, or a sanitizer is in the way'
fi

# ---- sanitizers ----
if ! find "$("$clang" -print-resource-dir)" -name 'libclang_rt.tsan*' 2>/dev/null | grep -q .; then
    check good --sanitize thread -b 64 -a out:i32:1 -a i32:60
    exits 'no runtime' 1
    complains 'no runtime' 'apt install libclang-rt-'
    echo "skip: kernels under sanitizers: no libclang-rt for $clang"
    finish
fi
check past --sanitize address -b 64 -a out:f32:63 -a in:f32:63 -a i32:63
exits 'one past the end' 1
says 'one past the end' \
    "k.cu:$(line_of 'y[i] = a[i]'): write of 4 bytes: 0 bytes past the end of argument 0 (252 bytes)"
says 'one past the end' 'read of 4 bytes: 0 bytes past the end of argument 1'
check past --sanitize address -b 64 -a out:f32:64 -a in:f32:64 -a i32:63
exits 'to the end' 0
says 'to the end' 'past: nothing found'
check shared_past --sanitize address -b 32 -a out:i32:32
exits 'a shared array beside another' 1
says 'a shared array beside another' \
    "k.cu:$(line_of 's[threadIdx.x + 1]'): Index 32 out of bounds for type 'int[32]'"
check dynamic_past --sanitize address -b 32 -s 124 -a out:i32:32
says 'dynamic shared memory' \
    "k.cu:$(line_of 'd[threadIdx.x] = 1'): write of 4 bytes: 0 bytes past the end of shared memory (124 bytes)"
check local_past --sanitize address -a inout:i32:2 -a i32:4
exits 'a local array' 1
says 'a local array' "k.cu:$(line_of 'out[1] = a[n]'): "
check races --sanitize thread -b 64 -a out:i32:64
exits 'a race in a block' 1
says 'a race in a block' "k.cu:$(line_of 's[threadIdx.x] = threadIdx.x * 2')"
says 'a race in a block' 'of shared memory (256 bytes)'
check races --sanitize address -b 64 -a out:i32:64
exits 'no race for the address sanitizer' 0
check crosses --sanitize thread -b 64 -a out:i32:64
exits 'a race between warps' 1
check in_step --sanitize thread -b 64 -a out:i32:64
exits 'a barrier of the warp' 0
check shuffled --sanitize thread -b 64 -a out:i32:64
exits 'a shuffle orders no accesses' 1
check good --sanitize thread -b 64 -g 3 -a out:i32:3 -a i32:60
exits 'warp operations and barriers' 0
check good --sanitize thread -b 40 -g 2 -a out:i32:2 -a i32:60
exits 'a warp that is not whole' 0
cat >"$scratch/meets.cu" <<'EOF'
#include <cooperative_groups.h>
extern "C" __global__ void meets(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    cooperative_groups::this_grid().sync();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
EOF
for tool in thread address; do
    run "$QUERN" check "$scratch/meets.cu" meets --sanitize "$tool" -b 64 -a out:i32:64
    exits "grid.sync() of one block, $tool" 0
    run "$QUERN" check "$scratch/meets.cu" meets --sanitize "$tool" -b 64 -g 2 -a out:i32:64
    complains "grid.sync() of two blocks, $tool" 'use a grid of one block'
done
check all_blocks --sanitize thread -b 32 -g 3 -a out:i32:1 --json
exits 'a race between blocks' 1
says 'a race between blocks' \
    "of block 0,0,0: byte 0 of argument 0 (4 bytes)"
says 'a race between blocks' '"kind": "race"'
check last_block --sanitize thread -b 32 -g 3 -a out:i32:1 -a out:i32:3 -a inout:u32:1
exits 'a fence and an atomic' 0
check odd --sanitize undefined -b 2 -a out:i32:2 -a in:i8:16
exits 'misaligned' 1
says 'misaligned' "k.cu:$(line_of 'void odd'): Load of misaligned address"
for kind in address undefined thread; do
    check null --sanitize $kind -b 2 -a null
    exits "a null pointer, $kind" 1
    says "a null pointer, $kind" "k.cu:$(line_of 'void null'): write at address 0x4, where nothing is"
done
# a clang whose runtime is missing: what to install is said
printf '#!/bin/sh\ncase " $* " in *" -pie "*) set -- -resource-dir=%s/none "$@" ;; esac\nexec %s "$@"\n' "$scratch" "$clang" \
    >"$scratch/clang-19"
chmod +x "$scratch/clang-19"
run env QUERN_CLANG="$scratch/clang-19" "$QUERN" check "$scratch/k.cu" null --sanitize thread -a null
exits 'no runtime' 1
complains 'no runtime' 'has no runtime of the thread sanitizer here: install it (Debian and Ubuntu: apt install libclang-rt-'
# the values are those of the device
run "$QUERN" launch "$scratch/k.cu" good --sanitize thread -b 64 -g 2 -a out:i32:2 -a i32:60
exits 'launch' 0
cp "$out" "$scratch/threads"
run "$QUERN" launch "$scratch/k.cu" good -d cpu:0 -b 64 -g 2 -a out:i32:2 -a i32:60
holds 'launch shows the same' [ "$(tail -1 "$scratch/threads")" = "$(tail -1 "$out")" ]
run env QUERN_WATCHDOG=2 "$QUERN" check "$scratch/k.cu" spin --sanitize address -a in:i32:1 -a inout:f32:1
exits 'a kernel that does not end' 1
complains 'a kernel that does not end' 'did not end within 2 s'
check good --sanitize thread --quick -b 64 -a out:i32:1 -a i32:60
exits 'options of Oclgrind' 2
finish
