#include "numbers.h"

#include <stdlib.h>

void dataset_free(struct dataset *data)
{
    free(data->x);
    *data = (struct dataset){0};
}
