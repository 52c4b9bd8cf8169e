#include "numbers.h"

void dataset_free(struct dataset *data)
{
    free_all(data->x, data->y);
    *data = (struct dataset){0};
}
