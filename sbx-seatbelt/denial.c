#include "denial.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"

#include <string.h>

/* Operations by the words that reports use on every system. */
static const struct {
	const char *prefix, *op;
} operations[] = {
        {"file-read", "read"},       {"file-test-existence", "read"}, {"file-map-", "read"},
        {"file-write", "write"},     {"file-link", "write"},          {"file-clone", "write"},
        {"process-exec", "exec"},    {"network-outbound", "connect"}, {"network-bind", "bind"},
        {"network-inbound", "bind"}, {"system-socket", "socket"},     {"network", "connect"},
};

static const char *op_of(const char *operation)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (strncmp(operation, operations[i].prefix, strlen(operations[i].prefix)) == 0)
			return operations[i].op;
	return operation;
}

/* A number that ends before `end`; NULL when there is none or it is too long. */
static const char *number(const char *s, const char *end, unsigned *value)
{
	const char *start = s;

	for (*value = 0; *s >= '0' && *s <= '9' && s - start < 9; s++)
		*value = *value * 10 + (unsigned)(*s - '0');
	return s > start && strncmp(s, end, strlen(end)) == 0 ? s + strlen(end) : NULL;
}

/* "NAME(PID) deny(N) OPERATION[ TARGET]" */
static bool parse_report(const char *s, struct denial *d)
{
	const char *rest = NULL;
	unsigned pid = 0, level;
	size_t len;

	/* A name may hold parentheses; it is short, and a target comes later. */
	for (const char *open = s; !rest && (open = strchr(open, '(')) != NULL; open++) {
		rest = number(open + 1, ") deny(", &pid);
		if (rest)
			rest = number(rest, ") ", &level);
		if (rest)
			d->program = xstrndup(s, (size_t)(open - s));
	}
	if (!rest)
		return false;
	len = strcspn(rest, " \n");
	if (len == 0)
		return false;
	d->pid = (pid_t)pid;
	d->operation = xstrndup(rest, len);
	rest += len;
	/* Lines after the first are the reporter's own details. */
	if (rest[0] == ' ' && rest[1] && rest[1] != '\n')
		d->target = xstrndup(rest + 1, strcspn(rest + 1, "\n"));
	return true;
}

bool denial_parse(const char *line, size_t len, struct denial *d)
{
	cleanup_json json_t *json = json_loadb(line, len, 0, NULL);
	const char *message = json_string_value(json_object_get(json, "eventMessage"));
	const char *s = message ? strstr(message, "Sandbox: ") : NULL;
	unsigned count = 1;

	*d = (struct denial){0};
	/* The kernel's word comes first in a message, or after the folding's. */
	if (!s)
		return false;
	if (s != message) {
		const char *after = number(message, " duplicate report", &count);

		if (!after || count == 0 ||
		    (strncmp(after, " for ", 5) != 0 && strncmp(after, "s for ", 6) != 0) ||
		    s - after > 6)
			return false;
	}
	d->count = count;
	if (parse_report(s + strlen("Sandbox: "), d))
		return true;
	denial_free(d);
	return false;
}

void denial_free(struct denial *d)
{
	free(d->program);
	free(d->operation);
	free(d->target);
	*d = (struct denial){0};
}

bool denial_same(const struct denial *a, const struct denial *b)
{
	return strcmp(a->program, b->program) == 0 && strcmp(a->operation, b->operation) == 0 &&
	       (a->target && b->target ? strcmp(a->target, b->target) == 0
	                               : a->target == b->target);
}

/* The smallest change that would allow it, as far as the log tells. */
static json_t *allow_with(const struct denial *d)
{
	const char *op = op_of(d->operation);

	if (strcmp(op, "write") == 0 && d->target && path_is_normal(d->target)) {
		cleanup_free char *directory = path_parent(d->target);
		cleanup_free char *word = text_quote(directory);
		cleanup_free char *text = xasprintf("--add-dir %s", word);

		return os_string(text);
	}
	if ((strcmp(op, "connect") == 0 || strcmp(op, "bind") == 0) && d->target &&
	    d->target[0] != '/')
		return xjson(json_string(strstr(d->target, "localhost") ? "--network loopback"
		                                                        : "--network on"));
	return xjson(json_null());
}

json_t *denial_json(const struct denial *d)
{
	json_t *json = xjson(json_pack("{s:s,s:s,s:o,s:i,s:i,s:n,s:o}", "op", op_of(d->operation),
	                               "operation", d->operation, "program", os_string(d->program),
	                               "pid", (int)d->pid, "count", (int)d->count, "rule",
	                               "allow_with", allow_with(d)));

	if (d->target && d->target[0] == '/')
		json_object_set_new(json, "path", os_string(d->target));
	else if (d->target)
		json_object_set_new(json, "address", os_string(d->target));
	return json;
}
