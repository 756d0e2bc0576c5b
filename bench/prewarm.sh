#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a second, fourth, ... worker gives `quern prewarm`: the same kernels, compiled anew by 1, 2, 4
# ... workers, each compiler by itself.
#
#     bench/prewarm.sh [KERNELS [ROUNDS [TARGET...]]]       QUERN=the program
#
# Default: 8 kernels per processor and at least 48 (each worker loads its compiler once, which must not
# be most of its work), 3 rounds, cuda:sm_90 hip:gfx90a opencl:portable.
#
# Every measurement has an empty cache, and the rounds of all worker counts alternate. Printed is the
# median, the speed-up against one worker, and speed-up / workers; the aim is 0.9 for hipRTC. Run it
# on a quiet machine: with other programs beside it the last column says nothing.
set -euo pipefail
quern=$(realpath "${QUERN:-build/release/quern}")
export QUERN_RTC=${QUERN_RTC:-${quern%/*}/quern-rtc}
export QUERN_TRANSLATE=${QUERN_TRANSLATE:-${quern%/*}/quern-translate}
kernels=${1:-$(($(nproc) > 6 ? 8 * $(nproc) : 48))} rounds=${2:-3}
targets=("${@:3}")
[ "${#targets[@]}" -gt 0 ] || targets=(cuda:sm_90 hip:gfx90a opencl:portable)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# A kernel of the usual size: a tile in shared memory, a loop, some mathematics.
cat >"$scratch/tile.cu" <<'END_CU'
extern "C" __global__ void tile(float *y, const float *a, const float *b, int n)
{
    __shared__ float left[16][16], right[16][17];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    y[row * n + column] = tanhf(sum) * SCALE;
}
END_CU
{
    echo '{"kernels": ['
    for i in $(seq "$kernels"); do
        [ "$i" = 1 ] || echo ,
        echo "{\"file\": \"tile.cu\", \"defines\": [\"SCALE=$i\"]}"
    done
    echo ']}'
} >"$scratch/kernels.json"

workers=()
for ((j = 1; j <= $(nproc); j *= 2)); do workers+=("$j"); done
[ "${workers[-1]}" = "$(nproc)" ] || workers+=("$(nproc)")

# seconds TARGET WORKERS
seconds() {
    local cache=$scratch/cache begin end
    rm -rf "$cache"
    # which compilers there are is asked before the clock starts, as in every later run
    QUERN_CACHE_DIR=$cache "$quern" compile "$scratch/tile.cu" -DSCALE=0 -t "$1" -o "$scratch/out" >/dev/null
    begin=$(date +%s.%N)
    QUERN_CACHE_DIR=$cache "$quern" prewarm "$scratch/kernels.json" -t "$1" -j "$2" 2>"$scratch/said"
    end=$(date +%s.%N)
    grep -q "$kernels images: $kernels compiled" "$scratch/said" || {
        cat "$scratch/said" >&2
        exit 1
    }
    echo "$begin $end" | awk '{print $2 - $1}'
}

printf 'prewarm of %d kernels, %d processors, load %s; median of %d rounds\n' "$kernels" "$(nproc)" \
    "$(cut -d' ' -f1 /proc/loadavg)" "$rounds"
for target in "${targets[@]}"; do
    if ! "$quern" compile "$scratch/tile.cu" -DSCALE=0 -t "$target" -o "$scratch/out" >/dev/null 2>"$scratch/why"; then
        echo "skip: $target: $(head -1 "$scratch/why")"
        continue
    fi
    for ((r = 0; r < rounds; r++)); do
        for j in "${workers[@]}"; do
            seconds "$target" "$j" >>"$scratch/$target.$j"
        done
    done
    for j in "${workers[@]}"; do
        sort -n "$scratch/$target.$j" | sed -n "$((rounds / 2 + 1))p"
    done | paste -d' ' <(printf '%s\n' "${workers[@]}") - |
        awk -v target="$target" 'NR == 1 { one = $2 }
            { printf "%-16s -j %-3d %8.3f s   %6.2f times as fast   %.2f per worker\n",
                  target, $1, $2, one / $2, one / $2 / $1 }'
done
