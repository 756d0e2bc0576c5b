// A loop that is left in the middle, colours by a switch.
extern "C" __global__ void mandelbrot(uchar4 *image, int width, int height, float scale,
                                      int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cx = (px - width / 2) * scale, cy = (py - height / 2) * scale;
    float x = 0.0f, y = 0.0f;
    int steps = 0;
    while (steps < most) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
        steps++;
    }
    uchar4 colour;
    switch (steps == most ? -1 : steps % 3) {
    case -1: colour = make_uchar4(0, 0, 0, 255); break;
    case 0: colour = make_uchar4(255, 64, 0, 255); break;
    case 1: colour = make_uchar4(0, 255, 64, 255); break;
    default: colour = make_uchar4(64, 0, 255, 255); break;
    }
    image[py * width + px] = colour;
}
// exercises: stmt/recover_loops stmt/structure
