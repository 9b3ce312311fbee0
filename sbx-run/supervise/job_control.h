/*
 * What does a signal to us, or a stop of the command, mean for the job?
 */
#ifndef SBX_RUN_SUPERVISE_JOB_CONTROL_H
#define SBX_RUN_SUPERVISE_JOB_CONTROL_H

#include "supervise/signals.h"
#include "supervise/supervised.h"

/* A signal other than SIGCHLD arrived. */
void job_signal(const struct supervised *what, const struct arrival *arrival);

/* The command stopped by this signal. */
void job_stopped(const struct supervised *what, int number);

#endif
