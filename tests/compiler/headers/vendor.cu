/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of NVIDIA's libraries in the host code around a kernel, those rarely made as well. */
#include <cub/cub.cuh>
#include <cublas.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <thrust/complex.h>

__global__ void scale(float *x, float by)
{
    x[threadIdx.x] *= by;
}

static void launch(float *x, cudaStream_t stream)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, scale, x, 2.0f);

    cudaStreamAttrValue window = {};
    window.accessPolicyWindow.base_ptr = x;
    window.accessPolicyWindow.num_bytes = 128;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
}

static void pools(int device, cudaStream_t stream)
{
    cudaMemPool_t pool;
    unsigned long long keep = ~0ull;
    void *p;
    cudaDeviceGetDefaultMemPool(&pool, device);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    cudaMallocFromPoolAsync(&p, 64, pool, stream);
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    cudaMemPoolSetAccess(pool, &access, 1);
    cudaIpcMemHandle_t handle;
    cudaIpcGetMemHandle(&handle, p);
}

static CUresult addresses(CUdeviceptr *at, size_t n)
{
    CUmemAllocationProp prop = {};
    CUmemGenericAllocationHandle handle;
    CUmemAccessDesc access = {};
    size_t step;
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location = prop.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemGetAllocationGranularity(&step, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    cuMemAddressReserve(at, n, 0, 0, 0);
    cuMemCreate(&handle, n, &prop, 0);
    cuMemMap(*at, n, 0, handle, 0);
    return cuMemSetAccess(*at, n, &access, 1);
}

static void graphs(cudaGraphNode_t node, cudaGraphExec_t exec)
{
    cudaGraphNodeType type;
    cudaKernelNodeParams params;
    cudaGraphNodeGetType(node, &type);
    if (type == cudaGraphNodeTypeKernel && cudaGraphKernelNodeGetParams(node, &params) == 0)
        cudaGraphExecKernelNodeSetParams(exec, node, &params);
}

static int libraries(float *x, const float **p)
{
    cublasHandle_t blas;
    cublasLtMatrixTransformDesc_t transform;
    cusparseHandle_t sparse;
    cusolverDnHandle_t solver;
    int n;
    nvtxRangePushA("libraries");
    if (cublasCreate_v2(&blas) != CUBLAS_STATUS_SUCCESS || cublasInit() != CUBLAS_STATUS_SUCCESS)
        return 1;
    cublasStrsmBatched(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_UNIT, 4, 4, x, p, 4, p, 4, 1);
    cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F);
    if (cusparseCreate(&sparse) != CUSPARSE_STATUS_SUCCESS)
        return 1;
    cusparseSpMatDescr_t matrix;
    cusparseCreateCsr(&matrix, 4, 4, 4, x, x, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    if (cusolverDnCreate(&solver) != CUSOLVER_STATUS_SUCCESS)
        return 1;
    cusolverDnSgetrf_bufferSize(solver, 4, 4, x, 4, &n);
    nvtxRangePop();
    return 0;
}

struct larger {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a > b ? a : b;
    }
};

int main()
{
    float *x = nullptr;
    const float *p[1] = {x};
    CUdeviceptr at;
    cudaStream_t stream = 0;
    int priority;
    size_t bytes = 0;
    cudaStreamGetPriority(stream, &priority);
    launch(x, stream);
    pools(0, stream);
    graphs(nullptr, nullptr);
    cub::DeviceReduce::Sum(nullptr, bytes, x, x, 4, stream);
    cub::DeviceReduce::Reduce(nullptr, bytes, x, x, 4, larger(), 0.0f);
    cub::DoubleBuffer<float> both(x, x);
    cub::DeviceRadixSort::SortKeys(nullptr, bytes, both, 4);
    const std::complex<float> z = thrust::complex<float>(1, 2);
    return addresses(&at, 64) == CUDA_SUCCESS ? libraries(x, p) : (int)z.real();
}
