/* Whether mpirun, or its like, started this process as one of several, and which MPI library is meant. */
#pragma once

#include "transport.h"

struct launched {
    unsigned rank, size;
    const char *library; /* "openmpi", as the module is called; NULL: one process alone */
};

/* By the variables that a launcher sets.  ULPSCOPE_MPI names another library. */
struct launched launched_as(void);

/* Loads the library and the module that was compiled with it; NULL with the reason in `why`. */
enum { WHY_SIZE = 512 };
transport_start *launched_module(const struct launched *launched, char why[WHY_SIZE]);
