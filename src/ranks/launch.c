#include "launch.h"

#include "src/base/text.h"
#include "src/plugins/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What launchers tell each process.  Slurm's `srun --mpi=pmix` leaves the size to a variable of its own. */
static const struct launcher {
    const char *rank, *size, *library;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi"},
    {"PMI_RANK", "PMI_SIZE", "mpich"},
    {"PMIX_RANK", "SLURM_NTASKS", "openmpi"},
};

/* The libraries as programs load them.  Their interfaces have been the same for ten years: libmpi.so.40 is Open MPI
 * from 3 to 5; libmpi.so.12 is whatever has MPICH's (its ABI initiative), and Debian calls that of MPICH libmpich. */
static const struct library {
    const char *id, *name, *files[3];
} libraries[] = {
    {"openmpi", "Open MPI", {"libmpi.so.40"}},
    {"mpich", "MPICH", {"libmpich.so.12", "libmpi.so.12"}},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static unsigned number_of(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    const unsigned long number = text && *text ? strtoul(text, &end, 10) : 0;
    return end && *end == '\0' && number < 1u << 24 ? (unsigned)number : 0;
}

struct launched launched_as(void)
{
    const char *wanted = getenv("ULPSCOPE_MPI");
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *by = &launchers[i];
        const unsigned size = getenv(by->rank) ? number_of(by->size) : 0;
        if (size > 1)
            return (struct launched){number_of(by->rank), size, wanted && *wanted ? wanted : by->library};
    }
    return (struct launched){0, 1, NULL};
}

static const struct library *find_library(const char *id, char why[WHY_SIZE])
{
    for (size_t i = 0; i < LIBRARIES; i++)
        if (strcmp(libraries[i].id, id) == 0)
            return &libraries[i];
    snprintf(why, WHY_SIZE, "ULPSCOPE_MPI is \"%s\"; expected openmpi or mpich", id);
    return NULL;
}

/* Its names are for everyone: the module has them from no other place, and Open MPI's own parts look for them. */
static bool load_library(const struct library *library, char why[WHY_SIZE])
{
    for (size_t i = 0; library->files[i]; i++)
        if (dlopen(library->files[i], RTLD_NOW | RTLD_GLOBAL))
            return true;
    snprintf(why, WHY_SIZE, "%s's library cannot be loaded: %s", library->name, dlerror());
    return false;
}

transport_start *launched_module(const struct launched *launched, char why[WHY_SIZE])
{
    const struct library *library = find_library(launched->library, why);
    if (!library)
        return NULL;
    OWNED char *file = text_made("ulpscope-mpi-%s.so", library->id);
    OWNED char *path = plugin_companion(file, "ULPSCOPE_MPI_MODULE");
    transport_start *start = NULL;
    if (!path)
        snprintf(why, WHY_SIZE, "this ulpscope was built without %s (%s is not beside it)", library->name, file);
    else if (load_library(library, why)) {
        void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        void *function = module ? dlsym(module, TRANSPORT_FUNCTION) : NULL;
        if (function)
            memcpy(&start, &function, sizeof start);
        else
            snprintf(why, WHY_SIZE, "%s", dlerror());
    }
    return start;
}
