/*
 * What is a command that runs for the client?
 *
 * Each is a process of its own, sbx-run or sbx-policy, with pipes to us.  We decide
 * nothing about it here, and it dies with us.
 */
#ifndef SBX_RUN_JOBS_JOB_H
#define SBX_RUN_JOBS_JOB_H

#include "jobs/backlog.h"
#include "jobs/kept.h"

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Who answers what a command has to ask. */
enum asked {
	ASKED_NOBODY,     /* each question is refused, with a line that says how to approve */
	ASKED_CLIENT,     /* by elicitation */
	ASKED_APPROVER,   /* the --approver of the operator */
	ASKED_CONFIGURED, /* that of the configuration, or of the session around us */
};

/* Bytes on their way to the process. */
struct feed {
	int fd;
	char *bytes;
	size_t at, used;
	bool last; /* it is closed when they are there */
};

enum stream {
	STREAM_OUT,
	STREAM_ERR,
};

struct job {
	pid_t pid; /* 0: has ended and was waited for */
	bool over; /* and everything that it printed is here */
	int status;
	enum asked asked;
	bool later; /* its questions go into the answers to calls */
	bool pty;
	int out, err, result, approver; /* our ends; -1: none, or ended */
	struct feed document, input;
	struct kept streams[2];  /* of a command that is waited for */
	struct backlog *backlog; /* of a session instead, for both streams */
	char *news;              /* readable output that was not streamed yet, or NULL */
	size_t news_used;
	int64_t news_at;  /* the last of them */
	uint64_t printed; /* bytes so far */
	int64_t heard_at; /* the last of them */
	char *said;       /* on the result fd */
	size_t said_used;
	char *lines; /* of the approver's connection, as far as they came */
	size_t lines_used;
	json_t *questions; /* those without an answer, the oldest first */
	int64_t kill_at;   /* when asking it to end has not been enough; 0: it was not asked */
	char name[16];     /* of a session, or "" */
};

struct job *job_new(void);
void job_free(struct job *job);

/* What to wait for; how many there are. */
#define JOB_FDS 6
size_t job_polls(const struct job *job, struct pollfd *fds);

/* Reads and writes what can be now.  Takes news of each piece of output when `tell`. */
void job_moves(struct job *job, bool tell);

/* More for its standard input; false: too much waits there already. */
bool job_feed(struct feed *feed, const char *bytes, size_t len);

/* Asks all of it to end, and sees to it after a moment. */
void job_end(struct job *job, int64_t now);
/* It is time to. */
void job_kill(struct job *job);

/* The process has ended: what is left in the pipes is all there will be. */
void job_ended(struct job *job, int status);

#endif
