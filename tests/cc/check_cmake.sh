#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CMake takes quern, under the name nvcc, for its CUDA compiler: its own checks, a library of kernels, a program.
source "$(dirname "$0")/../shell.sh"
if [ "${QN_CONFIG:-release}" != release ]; then
    echo "skip: programs are linked with config=release, this is $QN_CONFIG"
    exit 0
fi
command -v cmake >/dev/null || {
    echo 'skip: no cmake in PATH'
    exit 0
}
cmake --version | head -1
ln -s "$QUERN" "$scratch/nvcc"
mkdir "$scratch/source"
cat >"$scratch/source/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(units LANGUAGES CXX CUDA)
add_library(kernels STATIC kernels.cu)
add_executable(units main.cu plain.cpp)
set_target_properties(units PROPERTIES LINKER_LANGUAGE CUDA)
target_link_libraries(units kernels)
END
cat >"$scratch/source/kernels.cu" <<'END'
#include <string>
__global__ void add(int *p, int n) { *p += n; }
int add_on_device(int a, const std::string &b)
{
    int *p;
    cudaMalloc(&p, sizeof *p);
    cudaMemcpy(p, &a, sizeof a, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(p, std::stoi(b));
    cudaMemcpy(&a, p, sizeof a, cudaMemcpyDeviceToHost);
    return a;
}
END
echo 'int seven() { return 7; }' >"$scratch/source/plain.cpp"
cat >"$scratch/source/main.cu" <<'END'
#include <cstdio>
#include <string>
int add_on_device(int a, const std::string &b);
int seven();
template <class T> __global__ void fill(T *p, T v) { *p = v; }
int main()
{
    float *p, v = 0;
    cudaMalloc(&p, sizeof *p);
    fill<<<1, 1>>>(p, 1.5f);
    cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
    printf(add_on_device(seven(), "35") == 42 && v == 1.5f ? "PASS\n" : "FAIL\n");
}
END
run cmake -S "$scratch/source" -B "$scratch/build" -DCMAKE_CUDA_COMPILER="$scratch/nvcc"
exits 'cmake' 0
says 'cmake' 'The CUDA compiler identification is NVIDIA 12.4.0'
says 'cmake' 'Detecting CUDA compiler ABI info - done'
run cmake --build "$scratch/build"
exits 'cmake --build' 0
export QUERN_DEVICE=cpu:0
run "$scratch/build/units"
exits 'the program' 0
says 'the program' PASS
finish
