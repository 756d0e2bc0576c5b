// SPDX-License-Identifier: Apache-2.0
// A managed variable: used by both sides where the device shares the host's memory, and refused by
// the launch where it does not.
#include "check.h"

__managed__ int both[4] = {1, 2, 3, 4};

__global__ void add_forty()
{
    both[1] += 40;
}

int main()
{
    int managed = 0;
    GOOD(cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, 0));
    both[1] = 5;
    add_forty<<<1, 1>>>();
    if (managed) {
        GOOD(cudaGetLastError());
        GOOD(cudaDeviceSynchronize());
        EXPECT(both[1] == 45 && both[3] == 4);
    } else {
        EXPECT(cudaGetLastError() == cudaErrorNotSupported);
        EXPECT(both[1] == 5);
    }
    FINISH();
}
