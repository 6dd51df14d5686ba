// Ranks over MPI; see ranks.h.
//
// Rank 0 gives each other rank as many jobs as it has threads, and the next ones when the results of
// those have come. While jobs are left it takes some itself between two looks at the mail.
#include "apps/ploy/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"

#ifdef PLOY_HAS_MPI
#include <dlfcn.h>
#include <mpi.h>

// What is called of Open MPI. Its library is loaded by the commands that mpirun started and by no other: it
// brings six more, which together took more than a quarter of the time that the program needs to start.
typedef struct ranks_mpi {
    int (*initialized)(int *running);
    int (*init_thread)(int *argc, char ***argv, int wanted, int *given);
    int (*comm_size)(MPI_Comm comm, int *size);
    int (*comm_rank)(MPI_Comm comm, int *rank);
    int (*abort)(MPI_Comm comm, int status);
    int (*allreduce)(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm);
    int (*bcast)(void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm);
    int (*send)(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
    int (*recv)(void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                MPI_Status *status);
    int (*iprobe)(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status);
    int (*probe)(int from, int tag, MPI_Comm comm, MPI_Status *status);
    int (*finalize)(void);
    MPI_Comm world;
    MPI_Datatype byte, two_ints;
    MPI_Op worst;
} ranks_mpi;

static ranks_mpi mpi; // all NULL: not loaded, one rank

// Every member is a pointer, as is each symbol.
static bool ranks_load(void) {
    static const struct {
        const char *name;
        void *to;
    } names[] = {
        {"MPI_Initialized", &mpi.initialized},
        {"MPI_Init_thread", &mpi.init_thread},
        {"MPI_Comm_size", &mpi.comm_size},
        {"MPI_Comm_rank", &mpi.comm_rank},
        {"MPI_Abort", &mpi.abort},
        {"MPI_Allreduce", &mpi.allreduce},
        {"MPI_Bcast", &mpi.bcast},
        {"MPI_Send", &mpi.send},
        {"MPI_Recv", &mpi.recv},
        {"MPI_Iprobe", &mpi.iprobe},
        {"MPI_Probe", &mpi.probe},
        {"MPI_Finalize", &mpi.finalize},
        {"ompi_mpi_comm_world", &mpi.world},
        {"ompi_mpi_byte", &mpi.byte},
        {"ompi_mpi_2int", &mpi.two_ints},
        {"ompi_mpi_op_maxloc", &mpi.worst},
    };
    void *library = dlopen(PLOY_MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL); // its plugins look for it
    for (size_t i = 0; library != NULL && i < sizeof names / sizeof *names; i++) {
        void *found = dlsym(library, names[i].name);
        if (found == NULL) return false;
        memcpy(names[i].to, &found, sizeof found);
    }
    return library != NULL;
}

enum { RANKS_JOBS = 1, RANKS_RESULTS = 2, RANKS_MAX = 4096 };

// Open MPI's mpirun sets this for its processes; without it MPI is not started at all.
static bool ranks_started_by_mpirun(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") != NULL;
}

static int ranks_count(void) {
    int running = 0, count = 1;
    if (mpi.initialized != NULL) (void)mpi.initialized(&running);
    if (running) (void)mpi.comm_size(mpi.world, &count);
    return count;
}

int32_t ranks_rank(void) {
    int running = 0, rank = 0;
    if (mpi.initialized != NULL) (void)mpi.initialized(&running);
    if (running) (void)mpi.comm_rank(mpi.world, &rank);
    return rank;
}

void ranks_begin(void) {
    if (!ranks_started_by_mpirun()) return;
    if (!ranks_load()) exit(cli_error("cannot load the library of Open MPI", PLOY_MPI_LIBRARY));
    int given = 0;
    (void)mpi.init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given); // ends the process on errors
    if (ranks_rank() == 0) return;
    if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) {
        (void)mpi.abort(mpi.world, CLI_USAGE);
    }
}

int ranks_agree(int status) {
    if (ranks_count() == 1) return status;
    struct {
        int status, rank;
    } own = {status, -ranks_rank()}, worst = own; // among equals the lowest rank speaks
    (void)mpi.allreduce(&own, &worst, 1, mpi.two_ints, mpi.worst, mpi.world);
    if (worst.status >= 0 && status < 0) {
        char text[64];
        (void)snprintf(text, sizeof text, "rank %d cannot start, status %d", -worst.rank,
                       worst.status);
        (void)cli_error(text, NULL);
    }
    return worst.status;
}

ploy_result ranks_share(ploy_buffer *bytes, ploy_result result) {
    if (ranks_count() == 1) return result;
    int64_t head[2] = {(int64_t)result, (int64_t)bytes->size};
    (void)mpi.bcast(head, (int)sizeof head, mpi.byte, 0, mpi.world);
    if (head[0] != PLOY_OK) return (ploy_result)head[0];
    char *copy = malloc((size_t)head[1] + 1);
    if (copy == NULL) (void)mpi.abort(mpi.world, CLI_USAGE);
    if (ranks_rank() == 0 && head[1] > 0) memcpy(copy, bytes->bytes, (size_t)head[1]);
    (void)mpi.bcast(copy, (int)head[1], mpi.byte, 0, mpi.world);
    if (ranks_rank() != 0) {
        ploy_writer writer = ploy_buffer_writer(bytes);
        ploy_write_bytes(&writer, copy, (size_t)head[1]);
        if (bytes->size != (size_t)head[1]) (void)mpi.abort(mpi.world, CLI_USAGE);
    }
    free(copy);
    return PLOY_OK;
}

// A part of the jobs, as one run of the threads.
typedef struct ranks_part {
    ploy_job_fn fn;
    void *arg;
    int32_t offset;
} ranks_part;

static void ranks_part_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    const ranks_part *part = arg;
    part->fn(part->arg, part->offset + first, count, worker);
}

static void ranks_run_part(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t first,
                           int32_t count) {
    ranks_part part = {fn, arg, first};
    ploy_jobs_run(jobs, ranks_part_job, &part, count, 1);
}

// What rank 0 keeps of the jobs.
typedef struct ranks_office {
    int32_t next, count, each; // each: jobs handed out at a time
    int32_t out;               // ranks that work
    int32_t parts[RANKS_MAX][2];
} ranks_office;

// The next jobs for a rank; none left means that it stops.
static void ranks_hand_out(ranks_office *office, int rank) {
    int32_t left = office->count - office->next;
    int32_t *part = office->parts[rank];
    part[0] = office->next;
    part[1] = left < office->each ? left : office->each;
    office->next += part[1];
    office->out += part[1] > 0 ? 1 : 0;
    (void)mpi.send(part, 2 * (int)sizeof *part, mpi.byte, rank, RANKS_JOBS, mpi.world);
}

static void ranks_take_in(ranks_office *office, int rank, char *results, size_t size) {
    const int32_t *part = office->parts[rank];
    (void)mpi.recv(results + (size_t)part[0] * size, (int)((size_t)part[1] * size), mpi.byte, rank,
                   RANKS_RESULTS, mpi.world, MPI_STATUS_IGNORE);
    office->out--;
    ranks_hand_out(office, rank);
}

static void ranks_lead(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t count,
                       char *results, size_t size) {
    ranks_office *office = calloc(1, sizeof *office);
    int ranks = ranks_count();
    if (office == NULL || ranks > RANKS_MAX) (void)mpi.abort(mpi.world, CLI_USAGE);
    office->count = count;
    office->each = ploy_jobs_workers(jobs);
    for (int rank = 1; rank < ranks; rank++) ranks_hand_out(office, rank);
    while (office->out > 0 || office->next < count) {
        MPI_Status mail;
        int found = 0;
        if (office->next < count) {
            (void)mpi.iprobe(MPI_ANY_SOURCE, RANKS_RESULTS, mpi.world, &found, &mail);
        } else {
            (void)mpi.probe(MPI_ANY_SOURCE, RANKS_RESULTS, mpi.world, &mail);
            found = 1;
        }
        if (found) {
            ranks_take_in(office, mail.MPI_SOURCE, results, size);
        } else {
            int32_t left = count - office->next, first = office->next;
            int32_t own = left < office->each ? left : office->each;
            office->next += own;
            ranks_run_part(jobs, fn, arg, first, own);
        }
    }
    free(office);
}

static void ranks_follow(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, char *results,
                         size_t size) {
    for (;;) {
        int32_t part[2] = {0, 0};
        (void)mpi.recv(part, (int)sizeof part, mpi.byte, 0, RANKS_JOBS, mpi.world,
                       MPI_STATUS_IGNORE);
        if (part[1] == 0) return;
        ranks_run_part(jobs, fn, arg, part[0], part[1]);
        (void)mpi.send(results + (size_t)part[0] * size, (int)((size_t)part[1] * size), mpi.byte, 0,
                       RANKS_RESULTS, mpi.world);
    }
}

void ranks_run(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t count, void *results,
               size_t size) {
    if (ranks_count() == 1) {
        ploy_jobs_run(jobs, fn, arg, count, 1);
        return;
    }
    if (ranks_rank() == 0) {
        ranks_lead(jobs, fn, arg, count, results, size);
    } else {
        ranks_follow(jobs, fn, arg, results, size);
    }
    (void)mpi.bcast(results, (int)((size_t)count * size), mpi.byte, 0, mpi.world);
}

int ranks_end(int status, bool started) {
    int running = 0;
    if (mpi.initialized != NULL) (void)mpi.initialized(&running);
    if (!running) return status;
    int rank = ranks_rank();
    if (status != CLI_OK && started && ranks_count() > 1) {
        (void)fflush(stdout);
        (void)mpi.abort(mpi.world, status); // the others wait for jobs
    }
    (void)mpi.finalize();
    return rank == 0 ? status : CLI_OK;
}

#else

void ranks_begin(void) {
}

int32_t ranks_rank(void) {
    return 0;
}

int ranks_agree(int status) {
    return status;
}

ploy_result ranks_share(ploy_buffer *bytes, ploy_result result) {
    (void)bytes;
    return result;
}

void ranks_run(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t count, void *results,
               size_t size) {
    (void)results;
    (void)size;
    ploy_jobs_run(jobs, fn, arg, count, 1);
}

int ranks_end(int status, bool started) {
    (void)started;
    return status;
}

#endif
