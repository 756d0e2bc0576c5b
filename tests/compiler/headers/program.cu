/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program: host code with the C++ library, launches, the runtime API. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t e = (call);                                                              \
        if (e != cudaSuccess) {                                                                    \
            fprintf(stderr, "%s\n", cudaGetErrorString(e));                                        \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

template <typename T, int N> __global__ void scale(T *x, int n, T by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = std::max(x[i], by) * N + std::sqrt(x[i]);
}

__constant__ float weights[16];

template <typename T> static double run(std::vector<T> &v, cudaStream_t stream)
{
    T *d = nullptr;
    const size_t bytes = v.size() * sizeof(T);
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMemcpyAsync(d, v.data(), bytes, cudaMemcpyHostToDevice, stream));
    const auto start = std::chrono::steady_clock::now();
    const dim3 grid((v.size() + 255) / 256), block(256);
    scale<T, 2><<<grid, block, 0, stream>>>(d, (int)v.size(), T(3));
    CHECK(cudaDeviceSynchronize());
    const auto end = std::chrono::steady_clock::now();
    CHECK(cudaMemcpy(v.data(), d, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    return std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count() * 1e-9;
}

int main(int argc, char *argv[])
{
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    std::string name = prop.name;
    std::map<std::string, int> counts;
    counts[name + std::to_string(argc)]++;
    std::unordered_map<int, std::vector<float>> rows;
    std::set<int> seen = {1, 2, 3};
    std::mt19937 engine(42);
    std::uniform_real_distribution<float> spread(0.0f, 1.0f);
    std::vector<float> v(1000);
    std::generate(v.begin(), v.end(), [&] { return spread(engine); });
    std::sort(v.begin(), v.end(), [](float a, float b) { return a > b; });
    float w[16] = {};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, stream);
    std::unique_ptr<float[]> copy = std::make_unique<float[]>(v.size());
    std::thread helper([&] { rows[1].push_back(std::accumulate(v.begin(), v.end(), 0.0f)); });
    helper.join();
    for (const auto &entry : counts)
        std::cout << std::setw(10) << entry.first << ' ' << entry.second << std::endl;
    std::ifstream file(argv[0]);
    std::stringstream text;
    text << "seconds " << std::fixed << std::setprecision(3) << run(v, stream);
    if (seen.find(4) == seen.end() && fabs(v[0] - 1.0f) > 1e-6 && std::abs(v[1]) > 2)
        throw std::runtime_error(text.str());
    printf("%s %f\n", text.str().c_str(), pow(2.0, 0.5));
    return 0;
}
