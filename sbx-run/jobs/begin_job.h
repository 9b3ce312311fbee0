/*
 * How does a program of ours start as a command of the client?
 */
#ifndef SBX_RUN_JOBS_BEGIN_JOB_H
#define SBX_RUN_JOBS_BEGIN_JOB_H

#include "base/error.h"
#include "jobs/job.h"

/* Where it finds them; nothing else of ours is open in it. */
enum {
	JOB_DOCUMENT_FD = 3,
	JOB_RESULT_FD,
	JOB_APPROVER_FD,
	JOB_FIRST_FREE_FD,
};

struct beginning {
	const char *program; /* its name */
	char *const *argv;
	bool document, result, approver, input; /* which of these it gets */
	bool one_stream;                        /* its errors among its output */
	unsigned short columns, rows;           /* of a terminal; 0: none */
};

/*
 * Ours are moved out of the way of those numbers, and the standard ones become
 * /dev/null: *in and *out are where the client is from then on.
 */
int set_client_apart(int *in, int *out, struct error *err);

/* Fills the job's ends and its process. */
int job_begin(struct job *job, const struct beginning *b, struct error *err);

#endif
