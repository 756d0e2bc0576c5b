// Game of life on a torus.
extern "C" __global__ void life(unsigned char *next, const unsigned char *now, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            int nx = (x + dx + w) % w, ny = (y + dy + h) % h;
            alive += now[ny * w + nx];
        }
    next[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
}
// exercises: out/source_lines
