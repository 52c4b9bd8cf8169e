/* C = A B of square matrices in device memory as tutorials on CUDA have it: row-major, fused, in tiles of 16 or 32, of
 * which n is a multiple. */
#ifdef __cplusplus
extern "C" {
#endif
void tutorial_tile(int tile, const float *a, const float *b, float *c, unsigned n);
#ifdef __cplusplus
}
#endif
