/* SPDX-License-Identifier: Apache-2.0
 *
 * covers: cudart/textures
 *
 * Texture references, which went with CUDA 12. */
#include "check.h"

texture<float, 1, cudaReadModeElementType> line;
texture<float, cudaTextureType2D> image;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;

__global__ void read(float *out)
{
    out[0] = tex1Dfetch(line, 2);
    out[1] = tex2D(image, 1.0f, 0.5f);
    float4 c = tex2D(colours, 1.5f, 0.5f);
    out[2] = c.x;
    out[3] = c.w;
}

int main()
{
    float values[4] = {1, 2, 4, 8}, *p, *out, got[4], *rows;
    uchar4 texels[2] = {{0, 0, 0, 0}, {255, 0, 0, 51}};
    cudaArray_t a, b;
    size_t offset = 7, pitch;
    cudaChannelFormatDesc of_floats = cudaCreateChannelDesc<float>(),
                          of_bytes = cudaCreateChannelDesc<uchar4>();
    GOOD(cudaMalloc(&p, sizeof values));
    GOOD(cudaMalloc(&out, sizeof got));
    GOOD(cudaMemcpy(p, values, sizeof values, cudaMemcpyHostToDevice));
    GOOD(cudaMallocArray(&a, &of_floats, 4, 1));
    GOOD(cudaMemcpyToArray(a, 0, 0, values, sizeof values, cudaMemcpyHostToDevice));
    GOOD(cudaMallocArray(&b, &of_bytes, 2, 1));
    GOOD(cudaMemcpyToArray(b, 0, 0, texels, sizeof texels, cudaMemcpyHostToDevice));
    image.filterMode = cudaFilterModeLinear;
    GOOD(cudaBindTexture(&offset, line, p, sizeof values));
    EXPECT(offset == 0);
    GOOD(cudaBindTextureToArray(image, a));
    GOOD(cudaBindTextureToArray(colours, b, of_bytes));
    read<<<1, 1>>>(out);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 4 && got[1] == 1.5f && got[2] == 1 && got[3] > 0.1999f && got[3] < 0.2001f);
    /* bound again: to pitched memory, and to all of an allocation */
    GOOD(cudaMallocPitch(&rows, &pitch, sizeof values, 1));
    values[0] = 100;
    GOOD(
        cudaMemcpy2D(rows, pitch, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice));
    GOOD(cudaBindTexture2D(&offset, image, rows, of_floats, 4, 1, pitch));
    GOOD(cudaBindTexture(NULL, line, p + 1));
    read<<<1, 1>>>(out);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 8 && got[1] == 51);
    GOOD(cudaUnbindTexture(line));
    GOOD(cudaUnbindTexture(image));
    GOOD(cudaUnbindTexture(colours));
    GOOD(cudaFreeArray(a));
    GOOD(cudaFreeArray(b));
    GOOD(cudaFree(p));
    GOOD(cudaFree(rows));
    GOOD(cudaFree(out));
    FINISH();
}
