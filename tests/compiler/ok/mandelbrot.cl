#pragma OPENCL FP_CONTRACT ON

/* mandelbrot, mandelbrot.cu:2 */
__kernel void mandelbrot(__global uchar4 *image, int width, int height, float scale, int most)
{
    int px = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int py = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (px >= width || py >= height)
        return;
    float cx = (float)(px - width / 2) * scale;
    float cy = (float)(py - height / 2) * scale;
    float y = 0.0f;
    float x = 0.0f;
    int steps;
    for (steps = 0; steps < most; steps++) {
        float xx = x * x;
        float yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
    }
    uchar4 colour;
    switch (steps == most ? -1 : steps % 3) {
    case -1:
        colour = (uchar4)(0, 0, 0, 255);
        break;
    case 0:
        colour = (uchar4)(255, 64, 0, 255);
        break;
    case 1:
        colour = (uchar4)(0, 255, 64, 255);
        break;
    default:
        colour = (uchar4)(64, 0, 255, 255);
    }
    image[py * width + px] = colour;
}
