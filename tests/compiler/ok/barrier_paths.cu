// Paths to a barrier that a whole group takes or none, and decisions of each work-item behind it: what
// PoCL would decide once for the group.
extern "C" __global__ void branch(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = tid;
    box[tid] = in[i] & 3;
    if (n > 5) {
        __syncthreads();
        for (int k = box[31 - tid]; k < 3; k++)
            if (n == 60)
                sum += k;
            else
                out[k] = sum;
    }
    out[i] = sum;
}

extern "C" __global__ void ends_early(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = tid;
    box[tid] = in[i] & 3;
    if (n < 5) {
        out[i] = -1;
        return;
    }
    __syncthreads();
    if (box[31 - tid] == 2) {
        if (n == 60)
            sum = 100;
        else
            out[0] = sum;
    }
    out[i] = sum;
}

extern "C" __global__ void some_leave(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = tid;
    box[tid] = in[i] & 3;
    if (n > 5) {
        __syncthreads();
        if (tid > 28)
            return;
        if (box[31 - tid] == 2) {
            if (n == 60)
                sum = 100;
            else
                out[0] = sum;
        }
    }
    out[i] = sum;
}

extern "C" __global__ void next_turn(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = tid;
    box[tid] = in[i] & 3;
    for (int j = 0; j < 3; j++) {
        if (n > 5) {
            if (n == j + 59) {
                out[i] = sum;
                continue;
            }
            sum += 2;
        }
        __syncthreads();
        for (int k = box[31 - tid]; k < 3; k++)
            if (n == 60)
                sum++;
            else
                out[k] = sum;
    }
    out[i] = sum;
}

// Decisions behind both ways, of which LLVM knows one answer on the way without a barrier.
extern "C" __global__ void joins(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, take = 1, sum = tid;
    box[tid] = in[i];
    if (n > 5) {
        __syncthreads();
        take = box[31 - tid] & 1;
    }
    if (take)
        out[64 + i] = sum += 7;
    out[i] = sum;
}

extern "C" __global__ void other_way(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = tid;
    const bool odd = in[i] & 1;
    box[tid] = in[i];
    out[64 + i] = i;
    if (n > 5) {
        __syncthreads();
        sum += box[31 - tid];
    } else if (odd) {
        out[64 + i] = sum;
    }
    if (odd)
        out[64 + i] += sum += 100;
    out[i] = sum;
}

extern "C" __global__ void parts(int *out, const int *in, int n)
{
    const int t = threadIdx.x, group = blockIdx.x, i = group * 48 + t, x = in[i];
    __shared__ int tile[48];
    int a = x, b = t, c = n, own[4] = {x, t, 2, 3};
    tile[t] = x;
    __syncthreads();
    if (x & 1) {
        for (int turn = 0; turn < 2; turn++) {
            tile[t] ^= own[1] < (own[2] & t);
            for (int j = 0; j < 4; j++) {
                a = tile[t] | j;
                own[1] = (own[2] & t) * x;
                tile[t] += t;
                own[a & 3] ^= c;
                if (group == 1)
                    break;
            }
            if (group == 0) {
                if (a & 1)
                    b += a == c;
                own[3] = (c & a) - t;
                __syncthreads();
            } else {
                own[turn & 3] = x * own[2] < own[3];
            }
        }
    }
    out[i * 4] = a;
    out[i * 4 + 1] = b;
    out[i * 4 + 2] = own[3];
    out[i * 4 + 3] = own[0] + tile[t];
}
// exercises: quirks/quirk_flag_paths quirks/quirk_join_barrier stmt/flatten
