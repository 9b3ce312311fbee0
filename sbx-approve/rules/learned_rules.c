#include "rules/learned_rules.h"

#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/json_pool.h"
#include "fs/path.h"
#include "fs/take_turns.h"
#include "rules/match.h"
#include "rules/read_rules.h"
#include "rules/rulefile.h"
#include "rules/which_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_NAME ".learned.lock"
#define LOCK_MS   5000

/* A prefix of one of these would allow everything. */
static const char *const too_wide[] = {
        "sh",      "bash", "zsh",     "dash",    "ksh",  "fish", "env",  "sudo", "doas",   "su",
        "xargs",   "find", "python",  "perl",    "ruby", "node", "php",  "lua",  "rm",     "dd",
        "awk",     "nice", "nohup",   "timeout", "time", "exec", "eval", "make", "docker", "ssh",
        "busybox", "tee",  "python2", "python3", "deno", "bun",  NULL,
};

bool runs_anything(const char *program)
{
	const char *slash = strrchr(program, '/');

	return word_among(slash ? slash + 1 : program, too_wide);
}

/* With a subcommand, most of these are meant: "make test". */
static bool is_too_wide(char *const *argv)
{
	return !(strcmp(argv[0], "make") == 0 && argv[1]) && runs_anything(argv[0]);
}

static const char *project_of(const struct question *q)
{
	const json_t *trust = json_object_get(q->policy, "trust");
	const char *root = json_string_value(json_object_get(trust, "path"));

	return root && path_is_normal(root) ? root : q->command.cwd;
}

/* JSON writes some characters as \uNNNN, which the notation has not. */
static char *quoted(const char *word)
{
	cleanup_json json_t *string = json_string(word);
	cleanup_free char *text = string ? json_text_dump(string, JSON_ENCODE_ANY) : NULL;

	if (!text || strstr(text, "\\u") || strstr(text, "\\b") || strstr(text, "\\f"))
		return NULL;
	return keep_ptr(text);
}

/* ", project=...", ", expires=..."; NULL: the notation cannot say it. */
static char *limits(const struct question *q, const struct reach *reach)
{
	cleanup_free char *path = quoted(project_of(q));
	time_t end = time(NULL) + 24 * 60 * 60;
	char text[64] = "";
	struct tm tm;

	if (!reach->everywhere && !path)
		return NULL;
	gmtime_r(&end, &tm);
	if (reach->one_day)
		strftime(text, sizeof(text), ", expires=\"%Y-%m-%dT%H:%M:%SZ\"", &tm);
	return xasprintf("%s%s%s",
	                 reach->everywhere ? "" : ", project=", reach->everywhere ? "" : path,
	                 text);
}

/* The host alone: which command wants it is not remembered. */
static char *host_rule_of(const struct question *q, const struct reach *reach)
{
	const char *port = strrchr(q->host, ':');
	cleanup_free char *name = xstrndup(q->host, (size_t)(port - q->host));
	cleanup_free char *end = limits(q, reach);

	/* An address of IPv6 is in brackets there, and not here. */
	if (name[0] == '[') {
		memmove(name, name + 1, strlen(name));
		name[strlen(name) - 1] = '\0';
	}
	return end ? xasprintf("network_rule(host=\"%s\", port=\"%s\", decision=\"allow\"%s)", name,
	                       port + 1, end)
	           : NULL;
}

static char *command_rule(const struct question *q, const struct reach *reach)
{
	cleanup_free char *words = xstrdup(""), *end = limits(q, reach);
	char *const *argv;

	if (!end || q->analysis.count != 1 || q->class == CLASS_DANGEROUS || q->rule.rule ||
	    q->judgement.want > WANT_OUTSIDE)
		return NULL;
	argv = q->analysis.parts[0].argv;
	if (is_too_wide(argv) || strchr(argv[0], '/'))
		return NULL;
	for (; *argv; argv++) {
		cleanup_free char *before = words;
		cleanup_free char *word = quoted(*argv);

		words = NULL;
		if (!word)
			return NULL;
		words = xasprintf("%s%s%s", before, *before ? ", " : "", word);
	}
	/* Where the question was about: consent to the sandbox is none to leave it. */
	return xasprintf("prefix_rule(pattern=[%s], decision=\"allow\", where=\"%s\", "
	                 "rest=\"%s\"%s)",
	                 words, question_unconfined(q) ? "outside" : "sandbox",
	                 reach->more_words ? "any" : "none", end);
}

char *learned_rule(const struct question *q, const struct reach *reach)
{
	if (q->host)
		return host_rule_of(q, reach);
	return command_rule(q, reach);
}

char *learned_file(struct error *err)
{
	cleanup_free char *directory = book_directory(err);

	if (!directory && !err->exit)
		error_set(err, EXIT_INPUT, "no-home", "no HOME and no CODEX_HOME to keep rules in");
	return directory ? path_join(directory, LEARNED_NAME) : NULL;
}

static void make_directories(const char *file)
{
	cleanup_free char *rules = path_parent(file);
	cleanup_free char *home = path_parent(rules);

	mkdir(home, 0700);
	mkdir(rules, 0700);
}

/*
 * Two prompts may save at the same time.  Not the file itself is locked: a
 * command in the sandbox can read it, and so could lock it for ever.
 */
static int lock_file(const char *file, struct error *err)
{
	cleanup_free char *directory = path_parent(file);
	cleanup_close int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? error_system(err, "%s", directory) : lock_take(fd, LOCK_NAME, LOCK_MS, err);
}

static int open_file(const char *file, int flags, struct error *err)
{
	cleanup_close int fd = open(file, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "%s", file);
	if (!S_ISREG(st.st_mode))
		return error_set(err, EXIT_INPUT, "bad-rules", "%s: not a file", file);
	return keep_fd(&fd);
}

/* It must be one rule, and allow just the host. */
static int check_host(const struct question *q, const char *rule, struct error *err)
{
	struct rules rules = {0};
	int status = rules_add(&rules, rule, strlen(rule), "rule", err);

	if (status == 0 && (rules.count || rules.host_count || rules.network_count != 1 ||
	                    strcmp(rules.networks[0].host, q->host) != 0))
		status = error_set(err, EXIT_INPUT, "bad-rules",
		                   "the rule does not allow just the host, and is not saved");
	rules_free(&rules);
	return status;
}

/* It must be one rule that allows, and the command it was given for. */
static int check(const struct question *q, const char *rule, struct error *err)
{
	struct rules rules = {0};
	struct occasion occasion = {.cwd = q->command.cwd, .now = time(NULL)};
	int status = rules_add(&rules, rule, strlen(rule), "rule", err);

	rules_narrow(&rules, 0, true);
	if (status == 0 && rules.count == 1 && rules.rules[0].where == WHERE_OUTSIDE &&
	    !question_unconfined(q))
		status = error_set(err, EXIT_INPUT, "bad-rules",
		                   "the rule is about runs outside the sandbox, the question was "
		                   "not; it is not saved");
	if (status == 0 &&
	    (rules.count != 1 || rules.host_count || q->analysis.count != 1 ||
	     rules.rules[0].decision != DECISION_ALLOW || is_too_wide(q->analysis.parts[0].argv) ||
	     !rules_match(&rules, q->analysis.parts[0].argv, &occasion, NULL).rule))
		status = error_set(err, EXIT_INPUT, "bad-rules",
		                   "the rule does not allow just the command, and is not saved");
	rules_free(&rules);
	return status;
}

static bool has_rule(const struct rules *rules, const char *text)
{
	for (size_t i = 0; i < rules->count; i++)
		if (strcmp(rules->rules[i].text, text) == 0)
			return true;
	for (size_t i = 0; i < rules->network_count; i++)
		if (strcmp(rules->networks[i].text, text) == 0)
			return true;
	return false;
}

int learned_save(const struct question *q, const char *rule, struct error *err)
{
	cleanup_free char *file = learned_file(err);
	cleanup_free char *line = NULL;
	cleanup_close int fd = -1, lock = -1;
	struct rules rules = {0};
	char last = '\n';
	off_t size;
	bool there;

	if (!file || (q->host ? check_host(q, rule, err) : check(q, rule, err)) < 0)
		return -1;
	make_directories(file);
	lock = lock_file(file, err);
	fd = lock < 0 ? -1 : open_file(file, O_RDWR | O_APPEND | O_CREAT, err);
	if (fd < 0 || rules_add_file(&rules, file, err) < 0)
		return -1;
	there = has_rule(&rules, rule);
	rules_free(&rules);
	if (there)
		return 0;
	size = lseek(fd, 0, SEEK_END);
	if (size > 0 && pread(fd, &last, 1, size - 1) != 1)
		return error_system(err, "%s", file);
	line = xasprintf("%s%s\n", last == '\n' ? "" : "\n", rule);
	if (write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		return error_system(err, "%s", file);
	return 0;
}

static void list_one(const struct fold *fold, const char *file, const char *rule, unsigned number,
                     time_t expires)
{
	cleanup_json json_t *line =
	        xjson(json_pack("{s:s,s:s,s:i,s:b}", "rule", rule, "file", file, "line",
	                        (int)number, "expired", expires != 0 && expires <= time(NULL)));
	cleanup_free char *text = xjson(json_text_dump(line, JSON_COMPACT));

	if (fold->columns > 0)
		fold_field(fold, "", text, 0, "");
	else
		puts(text);
}

int learned_list(struct error *err)
{
	struct fold fold = {
	        .out = stdout, .columns = fold_columns(STDOUT_FILENO), .end = "\n", .hang = 4};
	cleanup_free char *file = learned_file(err);
	struct rules rules = {0};

	if (!file)
		return -1;
	if (access(file, F_OK) < 0 && errno == ENOENT)
		return 0;
	if (rules_add_file(&rules, file, err) < 0)
		return -1;
	for (size_t i = 0; i < rules.count; i++)
		list_one(&fold, file, rules.rules[i].text, rules.rules[i].line,
		         rules.rules[i].expires);
	for (size_t i = 0; i < rules.network_count; i++)
		list_one(&fold, file, rules.networks[i].text, rules.networks[i].line,
		         rules.networks[i].expires);
	rules_free(&rules);
	return fflush(stdout) == 0 ? 0 : error_system(err, "writing");
}

/* Written anew beside it and moved over it: nobody reads half a file. */
static int rewrite(const char *file, const struct rules *rules, const char *without,
                   struct error *err)
{
	cleanup_free char *fresh = xasprintf("%s.new", file);
	cleanup_close int fd =
	        open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");

	if (!f)
		return error_system(err, "%s", fresh);
	for (size_t i = 0; i < rules->count; i++)
		if (strcmp(rules->rules[i].text, without) != 0)
			fprintf(f, "%s\n", rules->rules[i].text);
	for (size_t i = 0; i < rules->network_count; i++)
		if (strcmp(rules->networks[i].text, without) != 0)
			fprintf(f, "%s\n", rules->networks[i].text);
	if (fclose(f) != 0 || fsync(fd) < 0 || rename(fresh, file) < 0) {
		unlink(fresh);
		return error_system(err, "%s", file);
	}
	return 0;
}

int learned_revoke(const char *rule, struct error *err)
{
	cleanup_free char *file = learned_file(err);
	cleanup_close int fd = -1, lock = -1;
	struct rules rules = {0};
	int status;

	if (!file)
		return -1;
	if (access(file, F_OK) < 0 && errno == ENOENT)
		return error_set(err, EXIT_INPUT, "no-rule", "%s: has no rule %s", file, rule);
	lock = lock_file(file, err);
	fd = lock < 0 ? -1 : open_file(file, O_RDWR, err);
	if (fd < 0 || rules_add_file(&rules, file, err) < 0)
		return -1;
	if (has_rule(&rules, rule))
		status = rewrite(file, &rules, rule, err);
	else
		status = error_set(err, EXIT_INPUT, "no-rule", "%s: has no rule %s", file, rule);
	rules_free(&rules);
	return status;
}
