/* On a GPU: an attack whose children are made, summed and judged there finds what as many islands find on the host, to
 * the last bit; and how many it sums in a second.  Without one: 77, and why. */
#include "src/base/clock.h"
#include "src/device/device_attack.h"
#include "tests/attack/same_find.h"
#include "tests/support/on_device.h"

#include <math.h>
#include <stdlib.h>

static struct attack_machine *machine;

static struct attack_find find(struct attack_request request)
{
    struct attack_find found;
    assert_int_equal(attack_make(&request, &found), OK);
    return found;
}

static struct attack_request request_of(const char *method, uint64_t n, uint64_t calls)
{
    const struct method *chosen = method_find(method);
    assert_non_null(chosen);
    return (struct attack_request){
        .method = chosen,
        .launch = {24, 64},
        .n = n,
        .seed = 1,
        .calls = calls,
        .until = INFINITY,
        .workers = 8,
        .islands = machine->islands(machine->context, chosen, (struct launch){24, 64}, n),
    };
}

static bool agree(const struct attack_request *request)
{
    struct attack_request there = *request;
    there.machine = machine;
    struct attack_find on_host = find(*request), on_gpu = find(there);
    const bool same = same_find(&on_host, &on_gpu);
    printf("%s, n = %llu, %zu islands, %llu calls: %.6g on the host, %.6g on the GPU, %s\n", request->method->id,
           (unsigned long long)request->n, request->islands, (unsigned long long)request->calls, on_host.value,
           on_gpu.value, same ? "the same find" : "ANOTHER FIND");
    attack_free(&on_host);
    attack_free(&on_gpu);
    return same;
}

static void attacks_find_on_a_gpu_what_they_find_on_the_host(void **state)
{
    static const struct {
        const char *method;
        uint64_t n;
    } cases[] = {
        {"plain/tree_rows", 64},
        {"kahan/vector_two_pass", 64},
        {"neumaier/shuffle_rows", 100},
        {"superacc/tree_rows", 64},
        {"sum2/tree_rows@binary64", 64},
        {"klein/vector_two_pass@binary64", 200},
        {"fabsum_32/vector_two_pass", 1024},
        {"binary64/tree_rows", 1024},
        {"double_float/vector_two_pass", 5000},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct attack_request request = request_of(cases[c].method, cases[c].n, 3000000);
        assert_true(request.islands > 0);
        assert_true(agree(&request));
    }
}

/* Children held to those of another seed. */
static void other_seeds_find_something_else(void **state)
{
    (void)state;
    struct attack_request request = request_of("kahan/tree_rows", 64, 1000000), other = request;
    other.seed = 2;
    request.machine = other.machine = machine;
    struct attack_find a = find(request), b = find(other);
    assert_false(same_find(&a, &b));
    attack_free(&a);
    attack_free(&b);
}

static void the_machine_takes_rows_alone(void **state)
{
    (void)state;
    assert_int_equal(
        machine->islands(machine->context, method_find("plain/tree_two_pass"), (struct launch){24, 64}, 64), 0);
    assert_int_equal(
        machine->islands(machine->context, method_find("plain/tree_rows@bfloat16"), (struct launch){24, 64}, 64), 0);
}

/* Told, not asserted: sums a second, of a budget that what is known hardly touches. */
static void speed_is_told(void **state)
{
    static const uint64_t lengths[] = {64, 1024, 16384};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        struct attack_request request =
            request_of("kahan/tree_rows", lengths[l], lengths[l] > 4096 ? 5000000 : 50000000);
        request.machine = machine;
        const double start = clock_of_wall();
        struct attack_find found = find(request);
        printf("%s, n = %llu: %.3g sums a second, share of the bound %.4g\n", request.method->id,
               (unsigned long long)lengths[l], (double)found.calls / (clock_of_wall() - start), found.value);
        attack_free(&found);
    }
}

static int make_machine(void **state)
{
    (void)state;
    machine = device_attack_machine(device);
    return 0;
}

static int free_machine(void **state)
{
    (void)state;
    device_attack_free(machine);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attacks_find_on_a_gpu_what_they_find_on_the_host),
        cmocka_unit_test(other_seeds_find_something_else),
        cmocka_unit_test(the_machine_takes_rows_alone),
        cmocka_unit_test(speed_is_told),
    };
    return run_on_device(tests, make_machine, free_machine);
}
