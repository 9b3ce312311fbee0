#include "report/human.h"

#include "advise/limit_option.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/fold.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "grant/denial.h"
#include "policy/words.h"
#include "fs/home_sign.h"
#include "report/host_tmp.h"
#include "report/run_again.h"
#include "report/timed_out.h"
#include "trust/sensitive_places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUPS_SHOWN 8
#define AGAIN        ": run again with: "
#define COLUMN       44  /* where "allow with" begins, if it can */
#define SHOWN_MAX    160 /* of a path */

static const char *word(const json_t *object, const char *member)
{
	const char *s = json_string_value(json_object_get(object, member));

	return s ? s : "";
}

static char *name_of(const json_t *denial, const char *member)
{
	const json_t *value = json_object_get(denial, member);
	struct error none = {0};

	return value ? os_string_get(value, member, &none) : NULL;
}

/* Cleaned, and with its middle left out when it is long. */
static char *shown(const char *text)
{
	cleanup_free char *clean = fold_shown(text);
	size_t len = strlen(clean), head = SHOWN_MAX / 2, tail;

	if (len <= SHOWN_MAX)
		return keep_ptr(clean);
	tail = len - SHOWN_MAX / 2;
	while (((unsigned char)clean[head] & 0xc0) == 0x80)
		head--;
	while (((unsigned char)clean[tail] & 0xc0) == 0x80)
		tail++;
	return xasprintf("%.*s[...]%s", (int)head, clean, clean + tail);
}

/* Denials that one change would allow are one line: operation, program, options. */
static json_t *groups(const json_t *denials)
{
	json_t *out = xjson(json_object());
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		cleanup_json json_t *parts =
		        xjson(json_pack("[s,s,O?]", word(denial, "op"), word(denial, "allow_with"),
		                        json_object_get(denial, "program")));
		cleanup_free char *key = NULL;
		json_t *group;

		/* Without a change that would help, each is its own story. */
		if (!*word(denial, "allow_with"))
			json_array_append_new(parts, json_integer((json_int_t)i));
		key = xjson(json_text_dump(parts, JSON_COMPACT));
		group = json_object_get(out, key);
		if (!group)
			json_object_set_new(out, key, group = xjson(json_array()));
		json_array_append(group, denial);
	}
	return out;
}

static char *describe(const json_t *group)
{
	const json_t *first = json_array_get(group, 0);
	size_t others = json_array_size(group) - 1;
	json_int_t times = json_integer_value(json_object_get(first, "count"));
	cleanup_free char *whole = name_of(first, "path");
	cleanup_free char *path = whole ? home_sign_path(whole) : NULL;
	cleanup_free char *program = name_of(first, "program");
	const char *base = program ? strrchr(program, '/') : NULL;
	const char *what = path                      ? path
	                   : *word(first, "address") ? word(first, "address")
	                                             : word(first, "syscall");
	cleanup_free char *clean = shown(what);
	cleanup_free char *by = shown(base ? base + 1 : program ? program : "");
	cleanup_free char *op = shown(word(first, "op"));
	cleanup_free char *more = others ? xasprintf(" and %zu more", others) : xstrdup("");
	cleanup_free char *often =
	        !others && times > 1
	                ? xasprintf("%s%" JSON_INTEGER_FORMAT " times", *by ? ", " : "", times)
	                : xstrdup("");

	if (!*by && !*often)
		return xasprintf("%s %s%s", op, clean, more);
	return xasprintf("%s %s%s (%s%s)", op, clean, more, by, often);
}

/* What would be opened, or was denied itself, runs or is believed outside. */
static char *why_sensitive(const json_t *denial)
{
	const json_t *write = json_object_get(json_object_get(denial, "grant"), "write");
	struct error none = {0};
	cleanup_free char *given =
	        write ? os_string_get(json_array_get(write, 0), "grant", &none) : NULL;
	cleanup_free char *denied = name_of(denial, "path");
	cleanup_free char *new = denial_new_directory(denial);
	const char *why = denied ? sensitive_path(denied) : NULL;

	/* A preset keeps closed what would run outside, but for what it is there for. */
	if (strstr(word(denial, "allow_with"), "--allow "))
		return strstr(word(denial, "allow_with"), "git:config")
		               ? xstrdup("git runs the programs that its settings name")
		               : NULL;
	if (!why && new)
		why = sensitive_inside(new);
	return why ? xstrdup(why) : given ? sensitive_to_change(given) : NULL;
}

static bool makes_namespace(const char *call)
{
	static const char *const calls[] = {"unshare", "clone", "setns", "mount", "pivot_root"};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i], call) == 0)
			return true;
	return false;
}

/* What no option opens, and why. */
static const char *why_not(const json_t *denial)
{
	cleanup_free char *path = name_of(denial, "path");
	cleanup_free char *parent = path && path[0] == '/' ? path_parent(path) : NULL;

	if (denial_wants_empty(denial))
		return "git begins only in an empty directory: choose a new one in the workspace";
	if (parent && strcmp(parent, "/") == 0)
		return "no option opens the root directory";
	if (parent && around_home(parent))
		return "no option opens a home directory; HOME can be another: --env HOME=DIR";
	if (strcmp(word(denial, "op"), "call") == 0 && makes_namespace(word(denial, "syscall")))
		return "namespaces inside need a policy without protected names: -s read-only "
		       "-c sbx.nested=true";
	if (json_is_object(json_object_get(denial, "grant")))
		return "no option allows this; an approver can";
	return "nothing allows this in a sandbox";
}

static void write_group(const struct fold *fold, const json_t *group)
{
	const json_t *first = json_array_get(group, 0);
	cleanup_free char *left = describe(group);
	cleanup_free char *words = home_sign_words(word(first, "allow_with"));
	cleanup_free char *options = fold_shown(words);
	cleanup_free char *new = denial_new_directory(first);
	cleanup_free char *why = *options ? why_sensitive(first) : NULL;
	cleanup_free char *mark = why ? xasprintf("  !! %s", why) : NULL;
	cleanup_free char *line = NULL, *right = NULL;

	if (*options)
		right = xasprintf("allow with: %s%s%s", options,
		                  new                                    ? ", which makes it"
		                  : strcmp(options, "--network on") == 0 ? ", or a host alone with "
		                                                           "--allow-host NAME"
		                                                         : "",
		                  mark ? mark : "");
	else
		right = xstrdup(why_not(first));
	line = xasprintf("%-*s  %s", COLUMN, left, right);
	/* What does not fit beside it stands below it; a byte is a column at most. */
	if (fold->columns && strlen(line) + 3 > fold->columns) {
		fold_ready(fold, "  ", left);
		fold_ready(fold, "      ", right);
	} else {
		fold_ready(fold, "  ", line);
	}
}

/* Those of processes that failed first, those of processes that succeeded last. */
static json_t *in_order(const json_t *denials)
{
	json_t *out = xjson(json_array());

	for (int turn = 0; turn < 3; turn++) {
		size_t i;
		json_t *denial;

		json_array_foreach (denials, i, denial) {
			const json_t *failed = json_object_get(denial, "failed");

			/* A line of its own says it. */
			if (!is_limit(denial) && turn == (json_is_true(failed)    ? 0
			                                  : json_is_false(failed) ? 2
			                                                          : 1))
				json_array_append(out, denial);
		}
	}
	return out;
}

char *human_first(const json_t *denials, size_t *count)
{
	cleanup_json json_t *sorted = in_order(denials);
	cleanup_json json_t *one = NULL;

	*count = json_array_size(sorted);
	if (*count == 0)
		return NULL;
	one = xjson(json_pack("[O]", json_array_get(sorted, 0)));
	return describe(one);
}

static void write_denials(const struct fold *fold, const json_t *result)
{
	FILE *out = fold->out;
	cleanup_json json_t *denials = in_order(json_object_get(result, "denials"));
	size_t count = json_array_size(denials), lines = 0, left = 0;
	json_int_t dropped = json_integer_value(json_object_get(result, "denials_dropped"));
	cleanup_json json_t *all = groups(denials);
	const char *key;
	json_t *group;

	if (count == 0)
		return;
	fprintf(out, "%s: denied %zu access%s%s:\n", program_name, count, count == 1 ? "" : "es",
	        json_is_true(json_object_get(result, "denied")) ? "" : " (the command went on)");
	json_object_foreach (all, key, group) {
		if (lines++ < GROUPS_SHOWN)
			write_group(fold, group);
		else
			left += json_array_size(group);
	}
	if (left > 0 || dropped > 0)
		fprintf(out,
		        "  and %" JSON_INTEGER_FORMAT " more; --json and --report json list them\n",
		        (json_int_t)left + dropped);
}

/*
 * An option in each row, which a shell reads as one line.  What is too long even so is
 * folded and marked: a path must not begin a row of its own.
 */
static void write_again_in_rows(const struct fold *fold, const json_t *denials)
{
	cleanup_json json_t *pairs = run_again_pairs(denials);
	size_t i, count = json_array_size(pairs);
	json_t *pair;

	fprintf(fold->out, "%s%s\\\n", program_name, AGAIN);
	json_array_foreach (pairs, i, pair) {
		const char *option = json_string_value(json_array_get(pair, 0));
		const char *value = json_string_value(json_array_get(pair, 1));
		cleanup_free char *line = xasprintf("%s %s", option, value);
		cleanup_free char *words = home_sign_words(line);
		cleanup_free char *clean = fold_shown(words);
		cleanup_free char *row = xasprintf("%s%s", clean, i + 1 < count ? " \\" : "");

		fold_ready(fold, "    ", row);
	}
}

static void write_again(const struct fold *fold, const json_t *result)
{
	cleanup_free char *options = run_again(json_object_get(result, "denials"));
	cleanup_free char *words = options ? home_sign_words(options) : NULL;
	cleanup_free char *clean = words ? fold_shown(words) : NULL;

	if (!clean)
		return;
	/* In one piece where it fits: it is there to be copied. */
	if (fold->columns == 0 ||
	    strlen(program_name) + strlen(AGAIN) + strlen(clean) < fold->columns)
		fprintf(fold->out, "%s%s%s\n", program_name, AGAIN, clean);
	else
		write_again_in_rows(fold, json_object_get(result, "denials"));
}

static void write_line(const struct fold *fold, const char *line)
{
	cleanup_free char *head = xasprintf("%s: ", program_name);

	fold_field(fold, head, line, 0, "");
}

/* "No such file" puzzles whoever has just made it outside. */
static void write_host_tmp(const struct fold *fold, const json_t *doc)
{
	cleanup_free char *path = host_tmp_argument(doc);
	cleanup_free char *clean = path ? shown(path) : NULL;
	cleanup_free char *line = NULL;

	if (!clean)
		return;
	line = xasprintf("/tmp inside is the workspace's own, without the host's %s; "
	                 "--tmp shared shows it",
	                 clean);
	write_line(fold, line);
}

/* Root in a sandbox has no capability to write what is another user's. */
static void write_owner(const struct fold *fold, const json_t *doc)
{
	const json_t *policy = json_object_get(doc, "policy");
	const json_t *sandbox = json_object_get(doc, "sandbox");
	struct error none = {0};
	cleanup_free char *path =
	        geteuid() == 0 && json_is_string(json_object_get(sandbox, "backend")) &&
	                        policy_mode(policy) == MODE_WORKSPACE_WRITE
	                ? os_string_get(json_object_get(policy, "workspace"), "workspace", &none)
	                : NULL;
	cleanup_free char *clean = path ? shown(path) : NULL, *line = NULL;
	struct stat st;

	if (!clean || stat(path, &st) < 0 || st.st_uid == 0 || (st.st_mode & S_IWOTH))
		return;
	line = xasprintf(
	        "%s belongs to user %ju: root cannot write there in a sandbox; run sbx-run "
	        "as that user, or chown it",
	        clean, (uintmax_t)st.st_uid);
	write_line(fold, line);
}

/* A token that a command misses looks like anything but that. */
static void write_dropped(const struct fold *fold, const json_t *result)
{
	const json_t *names = json_object_get(result, "dropped_environment");
	cleanup_free char *list = NULL, *options = NULL, *line = NULL;
	size_t i;
	json_t *name;

	json_array_foreach (names, i, name) {
		cleanup_free char *before = list, *others = options;
		cleanup_free char *clean = fold_shown(json_string_value(name));

		list = xasprintf("%s%s%s", before ? before : "", before ? ", " : "", clean);
		options = xasprintf("%s --env %s", others ? others : "", clean);
	}
	if (!list)
		return;
	line = xasprintf("not passed on, as names of secrets: %s; keep with:%s", list, options);
	write_line(fold, line);
}

static void write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

/*
 * Where nobody looks, whoever asked for a report is told so each time.  A
 * person at a terminal is told once; where that cannot be remembered, when it
 * would explain something.
 */
static bool is_worth_saying(bool asked, bool failed)
{
	enum told before;

	if (asked)
		return true;
	before = told("unobserved");
	return before == TOLD_NEVER || (before == TOLD_UNKNOWN && failed);
}

void human_report(const json_t *doc, int fd, bool always)
{
	const json_t *result = json_object_get(doc, "result");
	const char *why = json_string_value(json_object_get(result, "unobserved"));
	bool failed = json_integer_value(json_object_get(result, "exit_code")) != 0;
	cleanup_free char *late = timed_out_line(doc);
	cleanup_free char *limit = limit_line(json_object_get(result, "denials"));
	cleanup_free char *text = NULL;
	size_t size = 0;
	/* Where it is read, so that nothing in it wraps into a row that looks like ours. */
	struct fold fold = {.out = open_memstream(&text, &size),
	                    .columns = fold_columns(fd),
	                    .end = "\n",
	                    .hang = 4};

	if (!fold.out)
		return;
	if (late)
		write_line(&fold, late);
	if (limit)
		write_line(&fold, limit);
	/* A command that went on has nothing to explain, unless somebody asked. */
	if (json_array_size(json_object_get(result, "denials")) > 0 && (failed || always))
		write_denials(&fold, result);
	if (failed) {
		write_host_tmp(&fold, doc);
		write_owner(&fold, doc);
		write_dropped(&fold, result);
	}
	if (why && is_worth_saying(always, failed)) {
		cleanup_free char *line = xasprintf("denials are not observed: %s", why);

		write_line(&fold, line);
	}
	if (failed)
		write_again(&fold, result);
	if (fclose(fold.out) == 0)
		write_all(fd, text, size);
}

/* The directory of a login ends with it, at the latest with the machine. */
enum told told(const char *what)
{
	const char *directory = getenv("XDG_RUNTIME_DIR");
	cleanup_free char *path = NULL;
	cleanup_close int fd = -1;

	if (!directory || directory[0] != '/')
		return TOLD_UNKNOWN;
	path = xasprintf("%s/sbx-told-%s", directory, what);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		return TOLD_NEVER;
	return errno == EEXIST ? TOLD_BEFORE : TOLD_UNKNOWN;
}
