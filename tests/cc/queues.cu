// SPDX-License-Identifier: Apache-2.0
// Streams and their order, events, callbacks, graphs, devices, launches that cannot be.
#include "check.h"

#include <cstring>

__global__ void grow(int *p, int n, int rounds)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; i < n && r < rounds; r++)
        p[i] = p[i] * 3 + 1;
}
__global__ void add(int *p, int n, int by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += by;
}
__global__ void reverse(int *p)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

static void order(int *p, int n)
{
    cudaStream_t a, b;
    cudaEvent_t start, stop, middle;
    float ms = -1;
    int first = 0;
    GOOD(cudaStreamCreate(&a));
    GOOD(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    GOOD(cudaEventCreate(&start));
    GOOD(cudaEventCreate(&stop));
    GOOD(cudaEventCreateWithFlags(&middle, cudaEventDisableTiming));
    GOOD(cudaMemset(p, 0, n * sizeof *p));
    GOOD(cudaEventRecord(start, a));
    grow<<<n / 256, 256, 0, a>>>(p, n, 1000);
    add<<<n / 256, 256>>>(p, n, 5); /* the default stream waits for a */
    grow<<<n / 256, 256, 0, a>>>(p, n, 1);
    GOOD(cudaEventRecord(middle, a));
    GOOD(cudaStreamWaitEvent(b, middle));
    add<<<n / 256, 256, 0, b>>>(p, n, 7);
    GOOD(cudaEventRecord(stop, b));
    GOOD(cudaEventSynchronize(stop));
    GOOD(cudaEventQuery(stop));
    GOOD(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0);
    EXPECT(cudaEventElapsedTime(&ms, start, middle) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    unsigned want = 0;
    for (int r = 0; r < 1000; r++)
        want = want * 3 + 1;
    want = (want + 5) * 3 + 1 + 7;
    GOOD(cudaMemcpy(&first, p + n - 1, sizeof first, cudaMemcpyDeviceToHost));
    EXPECT((unsigned)first == want);
    GOOD(cudaEventDestroy(start));
    GOOD(cudaEventDestroy(stop));
    GOOD(cudaEventDestroy(middle));
    GOOD(cudaStreamDestroy(a));
    GOOD(cudaStreamDestroy(b));
    EXPECT(cudaStreamSynchronize(a) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void called(void *user)
{
    ++*(int *)user;
}
static void called_back(cudaStream_t, cudaError_t error, void *user)
{
    *(int *)user += error == cudaSuccess ? 10 : 1000;
}

static void graphs(int *p, int n)
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    int first, calls = 0;
    GOOD(cudaStreamCreate(&s));
    GOOD(cudaMemsetAsync(p, 0, n * sizeof *p, s));
    GOOD(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<n / 256, 256, 0, s>>>(p, n, 2);
    add<<<n / 256, 256, 0, s>>>(p, n, 3);
    GOOD(cudaStreamIsCapturing(s, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    GOOD(cudaStreamEndCapture(s, &graph));
    GOOD(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    GOOD(cudaGraphDestroy(graph));
    for (int i = 0; i < 4; i++)
        GOOD(cudaGraphLaunch(exec, s));
    GOOD(cudaStreamSynchronize(s));
    GOOD(cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost));
    EXPECT(first == 20);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaLaunchHostFunc(s, called, &calls));
    GOOD(cudaStreamAddCallback(s, called_back, &calls, 0));
    GOOD(cudaStreamSynchronize(s));
    EXPECT(calls == 11);
    GOOD(cudaStreamDestroy(s));
}

static void launches(int *p)
{
    cudaFuncAttributes a;
    int blocks = 0, grid = 0, block = 0, h[64];
    for (int i = 0; i < 64; i++)
        h[i] = i;
    GOOD(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    void *arguments[] = {&p};
    GOOD(cudaLaunchKernel(reverse, dim3(1), dim3(64), arguments, 64 * sizeof(int), 0));
    GOOD(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 63 && h[63] == 0);
    GOOD(cudaFuncGetAttributes(&a, reverse));
    EXPECT(a.maxThreadsPerBlock >= 64 && a.sharedSizeBytes == 0);
    GOOD(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 64, 256));
    EXPECT(blocks > 0);
    GOOD(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reverse, 0, 0));
    EXPECT(block > 0 && grid > 0);
    reverse<<<0, 64>>>(p);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    reverse<<<1, 1 << 20>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
}

static void devices()
{
    int count = 0, device = -1, value = 0, can = 1;
    cudaDeviceProp prop;
    size_t n_free = 0, n_total = 0;
    GOOD(cudaGetDeviceCount(&count));
    EXPECT(count >= 1);
    GOOD(cudaSetDevice(0));
    GOOD(cudaGetDevice(&device));
    EXPECT(device == 0);
    GOOD(cudaGetDeviceProperties(&prop, 0));
    EXPECT(prop.name[0] && prop.multiProcessorCount > 0 && prop.warpSize >= 32 && prop.major >= 5);
    GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(value == prop.multiProcessorCount);
    GOOD(cudaMemGetInfo(&n_free, &n_total));
    EXPECT(n_total > 0 && n_free <= n_total);
    GOOD(cudaDeviceCanAccessPeer(&can, 0, 0));
    EXPECT(can == 0);
    EXPECT(cudaSetDevice(1000) == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
}

int main()
{
    const int n = 1 << 14;
    int *p;
    devices();
    GOOD(cudaMalloc(&p, n * sizeof *p));
    order(p, n);
    graphs(p, n);
    launches(p);
    GOOD(cudaFree(p));
    GOOD(cudaDeviceReset());
    GOOD(cudaMalloc(&p, n * sizeof *p)); /* all is there again */
    add<<<n / 256, 256>>>(p, n, 1);
    GOOD(cudaDeviceSynchronize());
    FINISH();
}
