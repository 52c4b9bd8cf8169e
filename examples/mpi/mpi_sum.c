/* MPI_Reduce and MPI_Allreduce as methods of ulpscope: mpi/reduce and mpi/allreduce, or one algorithm of one of them,
 *
 *   mpirun -n 8 ./mpi_sum                            as the library likes to
 *   mpirun -n 8 ./mpi_sum allreduce ring             mpi/allreduce_ring: the name is the library's own
 *   mpirun -n 8 ./mpi_sum allreduce ring 64 5        vectors of 64 elements (default: as many as ranks), the sum in
 * number 5
 *
 * Rank 0 speaks the protocol of docs/plugins.md and hands the numbers out: rank r gets n / P neighbours, one more
 * if r < n mod P, adds them left to right, and one collective adds what the ranks have.  With n = P all is the
 * collective's. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum { REDUCE, ALLREDUCE, COLLECTIVES };
static const char *const names[] = {"reduce", "allreduce"}, *const in_capitals[] = {"REDUCE", "ALLREDUCE"};

struct question {
    long long n;
    int collective, is_double;
};

/* ---- which algorithm ---- */

static void set(const char *format, const char *word, const char *value)
{
    char variable[128];
    snprintf(variable, sizeof variable, format, word);
    setenv(variable, value, 1);
}

/* What Open MPI and MPICH read when they start.  MPICH's algorithms that begin with sched_ or tsp_ are those of the
 * nonblocking collective, which stands in for the blocking one; beneath it MPICH 4.0 would reduce among the first ranks
 * of nodes, too, even of one node, where an assertion in ireduce_tsp_tree.c fails. */
static void choose(int collective, const char *algorithm)
{
    const int is_nonblocking = strncmp(algorithm, "sched_", 6) == 0 || strncmp(algorithm, "tsp_", 4) == 0;
    set("OMPI_MCA_coll_tuned_use_dynamic_rules%s", "", "1");
    set("OMPI_MCA_coll_tuned_%s_algorithm", names[collective], algorithm);
    set("MPIR_CVAR_%s_INTRA_ALGORITHM", in_capitals[collective], is_nonblocking ? "nb" : algorithm);
    if (is_nonblocking) {
        set("MPIR_CVAR_I%s_INTRA_ALGORITHM", in_capitals[collective], algorithm);
        set("MPIR_CVAR_%s_COLLECTIVES", "DEVICE", "none");
    }
}

/* Open MPI says what it does not know, and goes on with another; MPICH ends by itself. */
static int is_chosen(int collective)
{
    char variable[128];
    int provided, index, count, value = 1;
    MPI_T_cvar_handle handle;
    snprintf(variable, sizeof variable, "coll_tuned_%s_algorithm", names[collective]);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (MPI_T_cvar_get_index(variable, &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS)
        MPI_T_cvar_read(handle, &value);
    MPI_T_finalize();
    return value != 0;
}

/* ---- the sum ---- */

static int ranks, rank;

static long long share_of(long long n, int of)
{
    return n / ranks + (of < n % ranks);
}

/* This rank's numbers: of rank 0, which has them all, the first. */
static void *take_share(void *all, long long n, MPI_Datatype type, int bytes)
{
    long long first = share_of(n, 0);
    void *mine = all;
    if (rank > 0) {
        mine = malloc((size_t)(share_of(n, rank) * bytes + 1));
        MPI_Recv(mine, (int)share_of(n, rank), type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int to = 1; rank == 0 && to < ranks; first += share_of(n, to++))
        MPI_Send((char *)all + first * bytes, (int)share_of(n, to), type, to, 0, MPI_COMM_WORLD);
    return mine;
}

static double add_up(struct question asked, void *all, int count, int place)
{
    const int bytes = asked.is_double ? sizeof(double) : sizeof(float);
    const MPI_Datatype type = asked.is_double ? MPI_DOUBLE : MPI_FLOAT;
    void *mine = take_share(all, asked.n, type, bytes), *own = calloc((size_t)count, (size_t)bytes);
    void *total = calloc((size_t)count, (size_t)bytes);
    for (long long i = 0; i < share_of(asked.n, rank); i++)
        if (asked.is_double)
            ((double *)own)[place] += ((double *)mine)[i];
        else
            ((float *)own)[place] += ((float *)mine)[i];
    if (asked.collective == REDUCE)
        MPI_Reduce(own, total, count, type, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Allreduce(own, total, count, type, MPI_SUM, MPI_COMM_WORLD);
    const double sum = asked.is_double ? ((double *)total)[place] : (double)((float *)total)[place];
    if (rank > 0)
        free(mine);
    free(own);
    free(total);
    return sum;
}

/* ---- rank 0, and the others ---- */

static long long number_of(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? atoll(at + strlen(key)) : 0;
}

/* A method has no dash in its name: Open MPI's in-order_binary becomes in_order_binary. */
static void say_methods(int only, const char *algorithm)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING], name[64];
    int length, c;
    snprintf(name, sizeof name, "%s%s", *algorithm ? "_" : "", algorithm);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    for (char *dash = name; (dash = strchr(dash, '-'));)
        *dash = '_';
    printf("{\"name\": \"mpi\", \"version\": \"%s, %d ranks\", \"methods\": [", version, ranks);
    for (c = only < COLLECTIVES ? only : 0; c <= only && c < COLLECTIVES; c++)
        for (int is_double = 0; is_double < 2; is_double++)
            printf("%s{\"name\": \"%s%s\", \"format\": \"%s\", \"deterministic\": true, \"claim\": \"MPI_%s\"}",
                   is_double || (c > 0 && only == COLLECTIVES) ? ", " : "", names[c], name,
                   is_double ? "binary64" : "binary32", c == REDUCE ? "Reduce to rank 0" : "Allreduce");
    puts("]}");
}

static void tell_others(struct question asked)
{
    for (int to = 1; to < ranks; to++)
        MPI_Send(&asked, sizeof asked, MPI_BYTE, to, 1, MPI_COMM_WORLD);
}

static int answer(int only, const char *algorithm, int count, int place)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        struct question asked = {number_of(line, "\"terms\": "), only, strstr(line, "\"binary64\"") != NULL};
        if (strstr(line, "\"methods\"")) {
            say_methods(only, algorithm);
        } else {
            const size_t bytes = (size_t)number_of(line, "\"bytes\": ");
            char *all = malloc(bytes + 1);
            if (fread(all, 1, bytes, stdin) != bytes)
                return 1;
            if (only == COLLECTIVES)
                asked.collective = strstr(line, "\"allreduce\"") ? ALLREDUCE : REDUCE;
            tell_others(asked);
            printf("{\"value\": \"%a\"}\n", add_up(asked, all, count, place));
            free(all);
        }
        fflush(stdout);
    }
    tell_others((struct question){.n = -1});
    return 0;
}

/* MPI's own waiting is a loop that keeps a core busy. */
static struct question wait_for_question(void)
{
    const struct timespec moment = {0, 50000};
    struct question asked;
    int is_there = 0;
    while (MPI_Iprobe(0, 1, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE), !is_there)
        nanosleep(&moment, NULL);
    MPI_Recv(&asked, sizeof asked, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return asked;
}

int main(int argc, char **argv)
{
    int only = argc > 1 ? strcmp(argv[1], names[ALLREDUCE]) == 0 : COLLECTIVES, status = 0;
    const char *algorithm = argc > 2 ? argv[2] : "";
    if (argc > 5 || (argc > 1 && strcmp(argv[1], names[only]) != 0)) {
        fprintf(stderr, "usage: mpi_sum [reduce|allreduce [ALGORITHM [COUNT [PLACE]]]]\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* ranks whose launcher was killed would wait for each other, busily, for ever */
    if (*algorithm)
        choose(only, algorithm);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int count = argc > 3 ? atoi(argv[3]) : ranks, place = argc > 4 ? atoi(argv[4]) : 0;
    if (*algorithm && !is_chosen(only)) {
        fprintf(stderr, "mpi_sum: %s has no algorithm \"%s\" here\n", names[only], algorithm);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank == 0)
        status = answer(only, algorithm, count, place);
    else
        for (struct question asked; (asked = wait_for_question()).n >= 0;)
            add_up(asked, NULL, count, place);
    MPI_Finalize();
    return status;
}
