#include "report/audit.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "fs/fd_path.h"
#include "grant/effective.h"
#include "policy/permissions.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int audit_open(const char *path, struct error *err)
{
	cleanup_close int fd =
	        open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "--audit: \"%s\"", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, EXIT_USAGE, "usage", "--audit: \"%s\": not a file", path);
	return keep_fd(&fd);
}

int audit_check(int fd, const json_t *doc, struct error *err)
{
	cleanup_json json_t *policy = effective_policy(doc, err);
	char path[PATH_MAX];
	struct permissions permissions;
	enum access access;

	if (!policy ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, err) < 0)
		return -1;
	access = fd_name(fd, path) == 0 && path[0] == '/'
	                 ? permissions_resolve(&permissions, path, NULL)
	                 : ACCESS_WRITE;
	permissions_free(&permissions);
	if (access == ACCESS_WRITE)
		return error_set(err, EXIT_INPUT, "audit",
		                 "--audit: \"%s\": the sandbox could change it; choose a file "
		                 "outside of the writable roots",
		                 path);
	return 0;
}

static char *now(void)
{
	struct timespec t;
	struct tm tm;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &t);
	gmtime_r(&t.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	return xasprintf("%s.%03ldZ", text, t.tv_nsec / 1000000);
}

static void copy(json_t *to, const json_t *from, const char *const *names)
{
	for (; *names; names++) {
		json_t *value = json_object_get(from, *names);

		if (value)
			json_object_set(to, *names, value);
	}
}

/* The members that say what was asked and decided, without what was printed. */
static json_t *record(const json_t *doc, int status)
{
	static const char *const command[] = {"argv",          "cwd",        "tool",
	                                      "files",         "preference", "escalate",
	                                      "justification", "source",     NULL};
	static const char *const approval[] = {"decision", "required", "by",
	                                       "reason",   "key",      "command_class",
	                                       "risk",     "grant",    NULL};
	static const char *const policy[] = {"approval_policy", "sandbox_policy", NULL};
	static const char *const sandbox[] = {"type", "backend", "lost", NULL};
	static const char *const result[] = {"outcome",     "exit_code", "signal",   "timed_out",
	                                     "duration_ms", "denied",    "evidence", "denials",
	                                     "network",     "questions", "usage",    NULL};
	static const struct {
		const char *name;
		const char *const *members; /* NULL: all of them */
	} parts[] = {{"command", command}, {"policy", policy}, {"approval", approval},
	             {"sandbox", sandbox}, {"result", result}, {"error", NULL}};
	const json_t *ran = json_object_get(doc, "result");
	cleanup_free char *time = now();
	json_t *out = xjson(json_pack("{s:i,s:s,s:i,s:i}", "sbx_audit", 1, "time", time, "pid",
	                              (int)getpid(), "status", status));

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		json_t *from = json_object_get(doc, parts[i].name);
		json_t *part;

		if (!json_is_object(from))
			continue;
		part = parts[i].members ? xjson(json_object()) : xjson(json_copy(from));
		if (parts[i].members)
			copy(part, from, parts[i].members);
		json_object_set_new(out, parts[i].name, part);
	}
	json_object_set_new(
	        out, "counters",
	        xjson(json_pack("{s:I,s:I,s:I}", "attempts",
	                        json_integer_value(json_object_get(ran, "attempts")), "denials",
	                        (json_int_t)json_array_size(json_object_get(ran, "denials")),
	                        "questions",
	                        (json_int_t)json_array_size(json_object_get(ran, "questions")))));
	return out;
}

int audit_write(int fd, const json_t *doc, int status, struct error *err)
{
	cleanup_json json_t *line = record(doc, status);
	cleanup_free char *text = json_text_dump(line, JSON_COMPACT);
	cleanup_free char *whole = text ? xasprintf("%s\n", text) : NULL;
	ssize_t len = whole ? (ssize_t)strlen(whole) : 0;

	if (!whole || write(fd, whole, (size_t)len) != len)
		return error_system(err, "--audit: writing the record");
	return 0;
}
