#include "numbers.h"

#include <stdlib.h>

void dataset_free(struct dataset *data)
{
    free(data->x);
    free(data->y);
    *data = (struct dataset){0};
}
