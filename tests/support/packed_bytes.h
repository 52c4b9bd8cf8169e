/* A small file of two arrays. */
#ifndef ULPSCOPE_TESTS_PACKED_BYTES_H
#define ULPSCOPE_TESTS_PACKED_BYTES_H

/* w of bfloat16, 1 and 2; e of e4m3, 1 and 448 */
#define SAFETENSORS_HEADER                                                                                             \
    "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"BF16\",\"shape\":[2,1],\"data_offsets\":[0,4]},"         \
    "\"e\":{\"dtype\":\"F8_E4M3\",\"shape\":[2],\"data_offsets\":[4,6]}}"
#define SAFETENSORS "\221\0\0\0\0\0\0\0" SAFETENSORS_HEADER "\200\77\0@8~"

#endif
