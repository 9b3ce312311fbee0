/*
 * What does the server know?
 *
 * One client, over two pipes; its requests that are not answered yet, and the
 * commands that run for it.
 */
#ifndef SBX_RUN_MCP_SERVER_H
#define SBX_RUN_MCP_SERVER_H

#include "arguments.h"
#include "base/error.h"
#include "base/token.h"
#include "jobs/job.h"
#include "process/descendants.h"
#include "rpc/incoming.h"
#include "rpc/outbox.h"
#include "rpc/versions.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* More at the same time is refused. */
#define JOBS_MAX     128
#define SESSIONS_MAX 32
#define REQUESTS_MAX 512

/* As syslog has them, the worst last. */
enum log_level {
	LOG_NEVER = -1,
	LOG_DEBUG,
	LOG_INFO,
	LOG_NOTICE,
};

/* Answers that go back together. */
struct batch {
	json_t *answers;
	size_t waiting;
};

/* Whom an answer is for. */
struct addressee {
	json_t *id;
	enum version version;
	struct batch *batch; /* or NULL */
};

struct server;
struct request;

struct tool {
	const char *name;
	/* Starts what was asked for, or answers at once. */
	void (*begin)(struct server *server, struct request *request);
	/* Whatever has happened: answers, if it can be answered now. */
	void (*look)(struct server *server, struct request *request);
	bool waits_for_roots; /* what it does depends on the client's roots */
	bool brief;           /* it only says something, in a moment */
};

/* A call of a tool that is under way. */
struct request {
	struct addressee to;
	const struct tool *tool;
	json_t *arguments;
	json_t *capabilities; /* of the client, as they count for this call */
	json_t *token;        /* of its progress, or NULL */
	json_t *roots;        /* where the client works: paths; NULL: it has no such thing */
	json_t *responses;    /* what we asked for in an earlier round, or NULL */
	json_t *state;        /* which round that was, or NULL */
	int log_level;
	bool begun, answered;
	struct job *job;   /* or NULL */
	int64_t until;     /* when it is answered at the latest; 0: it waits */
	int64_t again;     /* when to look once more; 0: when something happens */
	json_t *part;      /* of an answer that takes two steps */
	json_int_t pieces; /* of output that were sent */
};

/* A question of ours to the client, in the versions where a server asks. */
struct ours {
	json_int_t number;
	struct job *job; /* whose first question it is; NULL: the client's roots */
	json_t *question;
};

/* A command whose call was answered with a question, until the client comes back. */
struct suspended {
	struct job *job;
	json_t *question; /* the one that it was answered with */
	const struct tool *tool;
	json_t *arguments;
	char token[TOKEN_SIZE];
	int64_t until;
};

enum roots_state {
	ROOTS_NONE,    /* the client has no such thing */
	ROOTS_UNKNOWN, /* it was asked */
	ROOTS_KNOWN,
	ROOTS_REFUSED, /* it has, and does not say */
};

struct server {
	const struct arguments *arguments;
	json_t *policy;     /* the operator's, as sbx-policy resolved it at the start */
	json_t *tools;      /* as the newest version lists them */
	char *session;      /* SBX_SESSION of everything that runs, or NULL */
	pid_t keeper;       /* the process that keeps it */
	bool around;        /* there is a session above it */
	struct tree before; /* children that we had already: not ours to end */
	struct incoming in;
	struct outbox out;
	enum version version; /* that a handshake agreed on */
	bool initialized;
	json_t *capabilities;
	int log_level;
	enum roots_state roots_state;
	json_t *roots; /* paths */
	int64_t roots_until;
	struct request **requests;
	size_t request_count;
	struct job **jobs;
	size_t job_count;
	struct ours *ours;
	size_t ours_count;
	json_int_t asked;
	struct suspended *suspended;
	size_t suspended_count;
	unsigned long sessions;
	int64_t now;
	bool strays; /* something that we do not know has become our child */
	bool ending;
	int64_t leaves_at; /* the client has closed its end; 0: it has not */
};

/* Names of the client are shown nowhere: of what it says only this counts. */
bool client_has(const json_t *capabilities, const char *name);

#endif
