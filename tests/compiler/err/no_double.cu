// profile: intel:fp64-
// A target without double precision.
extern "C" __global__ void run(double *out) { out[threadIdx.x] *= 2.0; }
