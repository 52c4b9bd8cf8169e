#include "worker.h"

#include <dlfcn.h>
#include <string.h>

struct driver cuda;

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"cuInit", &cuda.init},
    {"cuDeviceGet", &cuda.device_get},
    {"cuDeviceGetAttribute", &cuda.attribute},
    {"cuDevicePrimaryCtxRetain", &cuda.retain},
    {"cuCtxSetCurrent", &cuda.set_current},
    {"cuCtxSynchronize", &cuda.synchronize},
    {"cuStreamCreate", &cuda.stream_create},
    {"cuMemAlloc_v2", &cuda.allocate},
    {"cuMemHostAlloc", &cuda.allocate_on_host},
    {"cuMemFree_v2", &cuda.release},
    {"cuMemsetD8_v2", &cuda.set},
    {"cuMemcpyHtoD_v2", &cuda.bring},
    {"cuMemcpyDtoH_v2", &cuda.fetch},
    {"cuMemcpyDtoD_v2", &cuda.copy},
    {"cuEventCreate", &cuda.event_create},
    {"cuEventRecord", &cuda.event_record},
    {"cuEventElapsedTime", &cuda.event_elapsed},
    {"cuModuleLoadData", &cuda.load_module},
    {"cuModuleGetFunction", &cuda.find_function},
    {"cuLaunchKernel", &cuda.launch},
    {"cuGetErrorName", &cuda.error_name},
};

const char *driver_load(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver)
        return "libcuda.so.1 is not found; install NVIDIA's driver";
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        void *found = dlsym(driver, functions[f].name);
        if (!found)
            return "libcuda.so.1 lacks functions; install a driver for CUDA 7 or newer";
        memcpy(functions[f].function, &found, sizeof found);
    }
    return NULL;
}

const char *driver_name_of(int error)
{
    const char *name = NULL;
    cuda.error_name(error, &name);
    return name ? name : "an error without a name";
}

bool driver_is_done(int error, const char *failed)
{
    if (error == 0)
        return true;
    const int lasting = cuda.synchronize();
    said_nothing();
    if (lasting != 0) {
        say("left the GPU with an error that stays: ");
        say(driver_name_of(lasting));
        give_up();
    }
    say(failed);
    say(": ");
    say(driver_name_of(error));
    return false;
}
