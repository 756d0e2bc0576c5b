#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern check: what Oclgrind finds in kernels with one fault each, and that it finds nothing in good ones.
source "$(dirname "$0")/../shell.sh"
if ! command -v oclgrind >/dev/null; then
    echo 'skip: quern check: oclgrind is not installed'
    exit 0
fi
case ${QN_CONFIG:-release} in
asan | tsan)
    echo "skip: quern check: Oclgrind loads its library in front of the sanitizer's (config=$QN_CONFIG)"
    exit 0
    ;;
esac
cat >"$scratch/faults.cu" <<'EOF'
__constant__ int table[4] = {10, 20, 30, 40};
__device__ int counter;
extern "C" __global__ void good(int *out, const int *in, int n)
{
    extern __shared__ int s[];
    s[threadIdx.x] = in[threadIdx.x] + table[threadIdx.x & 3];
    __syncthreads();
    if (threadIdx.x < n)
        out[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
    atomicAdd(&counter, 1);
}
extern "C" __global__ void swaps(float *sum, double *wide, unsigned *turn, unsigned short *part)
{
    __shared__ float most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    atomicAdd(&most, (float)threadIdx.x);
    atomicAdd(sum, 1.0f);
    atomicAdd(wide, 1.0);
    atomicInc(turn, 7);
    atomicCAS(part, (unsigned short)0, (unsigned short)threadIdx.x);
    __syncthreads();
    sum[1 + threadIdx.x] = most;
}
extern "C" __global__ void stores(float *sum)
{
    if (threadIdx.x == 3)
        *sum = 1.0f;
    atomicAdd(sum, 1.0f);
}
extern "C" __global__ void races(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
template <typename T> __global__ void copies(T *out, const T *in)
{
    out[threadIdx.x] = in[threadIdx.x + 1];
}
struct node { int *next; };
struct list { int values[300]; };
extern "C" __global__ void picks(int *out, list l, int at) { out[threadIdx.x] = l.values[at + threadIdx.x]; }
extern "C" __global__ void follows(node *n) { *n->next = 1; }
EOF
check() { run "$QUERN" check "$scratch/faults.cu" "$@"; }

check good -b 32 -s 128 -a out:i32:32 -a in:i32:32:ramp -a i32:32
exits 'a good kernel' 0
says 'a good kernel' 'good: nothing found'
check good -b 32 -s 128 -a out:i32:32 -a in:i32:32:ramp -a i32:32 --json
exits 'a good kernel as JSON' 0
says 'a good kernel as JSON' '"found": []'
check races -b 32 -a out:i32:32 --json
exits 'a race as JSON' 1
holds 'a race as JSON' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["kernel"] == "races" and d["sanitizer"] == "oclgrind" and any("data race" in f["text"] for f in d["found"]) and all("Kernel: races" in f["text"] for f in d["found"])' "$out"
check good -b 32 -s 64 -a out:i32:32 -a in:i32:32:ramp -a i32:32
exits 'too little shared memory' 1
says 'too little shared memory' 'local memory address'
check swaps -b 8 -a inout:f32:9 -a inout:f64:1 -a inout:u32:1 -a inout:u16:2
exits 'atomics that become loops' 0
says 'atomics that become loops' 'swaps: nothing found'
check stores -b 8 -a inout:f32:1
exits 'a store beside atomics' 1
says 'a store beside atomics' 'data race'
check races -b 32 -a out:i32:32
exits 'a race' 1
says 'a race' 'data race'
check races -b 32 -a out:i32:32 --no-races --no-uninitialized
exits 'a race, not looked for' 0
check 'copies<float>' -b 8 -a out:f32:8 -a in:f32:8:ramp
exits 'a read past the end' 1
says 'a read past the end' 'Invalid read of size 4'
check 'copies< float >' -b 7 -a out:f32:7 -a in:f32:8:ramp
exits 'a template kernel that is right' 0
check 'copies<float>' -b 7 -a out:f32:7 -a out:f32:8
exits 'a read of what was never written' 1
says 'a read of what was never written' 'Uninitialized'
bytes=$(printf '%02x000000' {0..255} {0..43})
check picks -b 4 -a out:i32:4 -a "hex:$bytes" -a i32:296
exits 'a struct larger than the argument block' 0
check picks -b 4 -a out:i32:4 -a "hex:$bytes" -a i32:297
exits 'a read past the end of such a struct' 1
says 'a read past the end of such a struct' 'Invalid read of size 4'
check follows -a inout:u64:1
exits 'addresses in memory' 1
complains 'addresses in memory' 'no shared virtual memory'
check good -b 32 -a out:i32:32 -a in:i32:32 -a i32:32
exits 'dynamic shared memory without a size' 1
complains 'dynamic shared memory without a size' '--shared'
check nothing
exits 'an unknown kernel' 1
complains 'an unknown kernel' 'races'
check races
exits 'a missing argument' 1
complains 'a missing argument' 'takes 1 arguments'

check good -b 32 -s 128 -a out:i32:32 -a in:i32:32:ramp -a i32:32 --keep "$scratch/good.cl"
holds 'the translation is kept' grep -q __kernel "$scratch/good.cl"
cat >"$scratch/own.cl" <<'EOF'
__kernel void own(__global int *out, __local int *s) { s[get_local_id(0)] = 1; out[get_local_id(0)] = s[get_local_id(0)]; }
EOF
run "$QUERN" check "$scratch/own.cl" own -b 4 -a out:i32:4 -a local:16
exits 'a kernel written in OpenCL C' 0
run "$QUERN" check "$scratch/own.cl" own -b 4 -a out:i32:4 -a local:12
exits 'local memory that is too small' 1
finish
