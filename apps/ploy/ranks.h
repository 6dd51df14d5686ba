// Several processes of one command, started by mpirun of Open MPI.
//
// Every rank executes the same command with the same words. Rank 0 hands out numbered jobs, a few at a
// time, and works too; when all are done, every rank has all results in the order of the jobs. What
// follows is computed from these alone, so ranks never disagree and their number changes no byte. Only
// rank 0 prints and writes files. A rank that is lost ends the run: mpirun stops the others and
// reports it.
//
// Without mpirun, or in a build without Open MPI, there is one rank.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/base/writer.h"

// Joins the other ranks; ranks above 0 print nothing from here on. Call it first in a command.
void ranks_begin(void);
int32_t ranks_rank(void);
// After setting up: every rank hands in its status (-1: fine) and all return the same one.
int ranks_agree(int status);
// Gives all ranks the bytes of rank 0, which sends its result along.
ploy_result ranks_share(ploy_buffer *bytes, ploy_result result);
// Runs fn over [0, count), each on some rank, and brings the results to all.
// @param jobs     the threads of this rank; NULL: one.
// @param results  count of `size` bytes each without pointers; job i writes result i.
void ranks_run(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t count, void *results,
               size_t size);
// Leaves the run. @return the exit status of this process.
// @param started  the ranks had agreed to start: an error of one then ends all.
int ranks_end(int status, bool started);
