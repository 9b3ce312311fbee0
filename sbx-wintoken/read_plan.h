/*
 * What does a plan tell the launcher to do?
 *
 * It carries out what it knows and nothing else: an unknown word, a missing
 * member or a path that is not in its one form, and nothing is started.
 */
#ifndef SBX_WINTOKEN_READ_PLAN_H
#define SBX_WINTOKEN_READ_PLAN_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* More than any command line carries; a plan of a thousand paths has 200 KiB. */
#define ORDERS_MAX (1UL << 20)

struct order_ace {
	const char *path, *sid;
	bool allow; /* else deny */
	bool make;  /* a directory, when nothing is there */
};

struct order_stub {
	const char *name, *text;
};

struct orders {
	json_t *plan; /* what the rest points into */
	const char *cwd, *state, *stub_directory;
	json_int_t timeout_ms; /* 0: none */
	const char **sids;     /* restricting, in order; NULL-terminated */
	struct order_ace *aces;
	size_t ace_count;
	struct order_stub *stubs;
	size_t stub_count;
	const json_t *environment; /* for variables_apply() */
};

int orders_read(const char *text, size_t len, struct orders *orders, struct error *err);
void orders_free(struct orders *orders);

#endif
