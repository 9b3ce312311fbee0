/*
 * Which changes does the outer stage make for the command, and how safely?
 *
 * Those that Landlock must deny because something below is protected or
 * hidden, and that the policy nevertheless allows.
 *
 * One thread decides and acts, so that the tree does not change under it by
 * the command's own hand.  It acts on its own copies of the arguments, on
 * pinned directories and without following links.  A call is let through only
 * where Landlock refuses whatever must not be done: then it does not matter
 * what the arguments have become meanwhile.  When the broker is gone, every
 * change fails.
 */
#ifndef SBX_BROKER_H
#define SBX_BROKER_H

#include "broker/asked.h"
#include "broker/links.h"
#include "broker/moved.h"
#include "broker/place.h"
#include "observer/watched_calls.h"
#include "policy/permissions.h"

struct broker {
	const struct permissions *policy;
	struct permissions ground; /* see ground.h; what was moved is "none" in this copy */
	struct links links;
	struct moved *moved; /* the supervisor hears of it */
	struct umasks umasks;
	int home; /* our own working directory */
};

/* What becomes of a call. */
struct reply {
	enum { ANSWERED, GO_ON, LATER } how;
	int error; /* ANSWERED: 0 or an errno; LATER: somebody else answers, or already did */
	bool denied;
	char *denied_path; /* of what no argument of the call names; else NULL */
};

static inline struct reply reply_go_on(void)
{
	return (struct reply){.how = GO_ON};
}

/* got: as system calls here return it, 0 or -errno. */
static inline struct reply reply_with(int got)
{
	/* Whoever asked is gone: nobody hears it. */
	return (struct reply){.how = ANSWERED, .error = -got};
}

static inline struct reply reply_denied(int error)
{
	return (struct reply){.how = ANSWERED, .error = error, .denied = true};
}

/* Landlock says no, and says it in the kernel's own words. */
static inline struct reply reply_denied_by_kernel(void)
{
	return (struct reply){.how = GO_ON, .denied = true};
}

/* In the thread that is to serve: it keeps the capabilities of the command, which are none. */
int broker_begin(struct broker *broker, const struct permissions *policy,
                 const struct permissions *ground, struct moved *moved, struct error *err);

bool broker_knows(int number);
struct reply broker_serve(struct broker *broker, const struct asked *asked);

/* ---- for the parts of it --------------------------------------------------- */

/* Where a call has its arguments; -1: it has none. */
struct form {
	int number;
	struct reply (*serve)(struct broker *broker, const struct asked *asked,
	                      const struct form *form);
	signed char directory, path, directory2, path2, flags, value, more;
	int fixed; /* what other calls have as flags */
};

/* Argument by number; 0 for none. */
static inline uint64_t argument(const struct asked *asked, int number)
{
	return number < 0 ? 0 : asked->request->data.args[number];
}

/* The flags of the call, or those that it stands for. */
static inline int flags_of(const struct asked *asked, const struct form *form)
{
	return form->flags < 0 ? form->fixed : (int)argument(asked, form->flags);
}

/*
 * A path argument and where it leads.  empty: an empty path is the descriptor
 * itself, and so is none at all.  0 or -errno.
 */
int find_place(const struct asked *asked, int directory, int path, enum follow follow, bool empty,
               struct place *place);

struct reply serve_open(struct broker *, const struct asked *, const struct form *);
struct reply serve_mkdir(struct broker *, const struct asked *, const struct form *);
struct reply serve_mknod(struct broker *, const struct asked *, const struct form *);
struct reply serve_symlink(struct broker *, const struct asked *, const struct form *);
struct reply serve_unlink(struct broker *, const struct asked *, const struct form *);
struct reply serve_rename(struct broker *, const struct asked *, const struct form *);
struct reply serve_link(struct broker *, const struct asked *, const struct form *);
struct reply serve_truncate(struct broker *, const struct asked *, const struct form *);
struct reply serve_chmod(struct broker *, const struct asked *, const struct form *);
struct reply serve_chown(struct broker *, const struct asked *, const struct form *);
struct reply serve_times(struct broker *, const struct asked *, const struct form *);
struct reply serve_setxattr(struct broker *, const struct asked *, const struct form *);
struct reply serve_removexattr(struct broker *, const struct asked *, const struct form *);
struct reply serve_bind(struct broker *, const struct asked *, const struct form *);

/* Kinds of times, as .fixed of serve_times(); with the other flags. */
#define TIMES_SPEC 0 /* struct timespec[2], in nanoseconds */
#define TIMES_VAL  1 /* struct timeval[2] */
#define TIMES_BUF  2 /* struct utimbuf */

#endif
