/* What every file stands on: C's integers, texts and files; statuses; memory, and texts that grow; numbers, in formats
 * and as texts. */
#pragma once

#include "clean_text.h"
#include "format.h"
#include "memory.h"
#include "number.h"
#include "status.h"
#include "text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
