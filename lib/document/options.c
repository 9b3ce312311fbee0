#include "document/options.h"

#include "typed/nearest_word.h"
#include "typed/other_tools.h"
#include "document/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No program sees these. */
enum standard {
	STANDARD_HELP = -2,
	STANDARD_VERSION = -1,
};

static const struct option standard_options[] = {
        {STANDARD_HELP, "help", 'h', NULL, "print this text"},
        {STANDARD_VERSION, "version", 0, NULL, "print the version"},
        {0},
};

static void maybe_finish(const struct program *program, const struct option *found)
{
	if (found->id == STANDARD_HELP)
		help_print(program, standard_options);
	else if (found->id == STANDARD_VERSION)
		printf("%s %s\n", program->name, SBX_VERSION);
	else
		return;
	exit(fflush(stdout) == 0 ? 0 : EXIT_SYSTEM);
}

void options_begin(struct options *options, const struct program *program, int argc, char **argv)
{
	*options = (struct options){.program = program, .argc = argc, .argv = argv, .next = 1};
}

static const struct option *find(const struct program *program, const char *name, size_t len,
                                 char letter, struct nearest *nearest)
{
	for (size_t t = 0; t <= 3; t++) {
		const struct option *o = t < 3 ? program->tables[t] : standard_options;

		for (; o && o->name; o++) {
			if (letter ? o->letter == letter
			           : len > 0 && strlen(o->name) == len &&
			                     strncmp(o->name, name, len) == 0)
				return o;
			if (*o->name)
				nearest_try(nearest, o->name, strlen(o->name));
		}
	}
	return NULL;
}

static const struct option *wrong(struct error *err, const char *what, const char *option)
{
	error_set(err, EXIT_USAGE, "usage", "option %s %s (try --help)", option, what);
	return NULL;
}

/* What another tool calls an option that this program has; else the word that is nearest. */
static const char *meant(const struct program *program, const struct nearest *nearest)
{
	const char *word = other_tools_word(nearest->meant);
	struct nearest nobody = nearest_begin("");

	return word && find(program, word, strcspn(word, " "), 0, &nobody) ? word : nearest->word;
}

static const struct option *unknown(const struct program *program, struct error *err,
                                    const char *option, const struct nearest *nearest)
{
	const char *word = meant(program, nearest);

	if (!word)
		return wrong(err, "is unknown", option);
	error_set(err, EXIT_USAGE, "usage", "option %s is unknown; did you mean --%s? (try --help)",
	          option, word);
	return NULL;
}

/*
 * The value after a name.  "--" does not count: where a value was forgotten, the command's
 * words follow it.  A directory that is really called so is "./--".
 */
static const char *next_value(struct options *options)
{
	if (options->next >= options->argc || strcmp(options->argv[options->next], "--") == 0)
		return NULL;
	return options->argv[options->next++];
}

static const struct option *next_long(struct options *options, const char **value,
                                      struct error *err)
{
	const char *arg = options->argv[options->next++];
	const char *name = arg + 2;
	const char *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	char typed[64];
	struct nearest nearest;
	const struct option *found;

	snprintf(typed, sizeof(typed), "%.*s", (int)len, name);
	nearest = nearest_begin(typed);
	found = find(options->program, name, len, 0, &nearest);
	if (!found)
		return unknown(options->program, err, arg, &nearest);
	maybe_finish(options->program, found);
	if (!found->argument) {
		if (equals)
			return wrong(err, "takes no value", arg);
	} else if (equals) {
		*value = equals + 1;
	} else {
		*value = next_value(options);
		if (!*value)
			return wrong(err, "needs a value", arg);
	}
	return found;
}

/*
 * "-auto" is no word for -a, and "-probe" no letters.  What names things of its own (-p, -c, ...)
 * may be given a name that is an option's.
 */
static bool is_long_name(const struct options *options, char letter, const struct option *found)
{
	const char *arg = options->argv[options->next - 1];
	struct nearest nobody = nearest_begin("");

	return arg[1] == letter && options->bundle == arg + 2 && strlen(arg + 1) > 2 &&
	       (!found || strchr("as", letter)) &&
	       find(options->program, arg + 1, strlen(arg + 1), 0, &nobody);
}

static const struct option *next_letter(struct options *options, const char **value,
                                        struct error *err)
{
	char name[3] = {'-', *options->bundle++, '\0'};
	struct nearest nobody = nearest_begin("");
	const struct option *found = find(options->program, "", 0, name[1], &nobody);

	if (is_long_name(options, name[1], found))
		return unknown(options->program, err, options->argv[options->next - 1],
		               &(struct nearest){.meant = "",
		                                 .word = options->argv[options->next - 1] + 1});
	if (!found)
		return unknown(options->program, err, name, &(struct nearest){.meant = name + 1});
	maybe_finish(options->program, found);
	if (found->argument) {
		*value = *options->bundle ? options->bundle : next_value(options);
		if (!*value)
			return wrong(err, "needs a value", name);
		options->bundle = NULL;
	} else if (!*options->bundle) {
		options->bundle = NULL;
	}
	return found;
}

const struct option *options_next(struct options *options, const char **value, struct error *err)
{
	const char *arg;

	*value = NULL;
	if (options->bundle)
		return next_letter(options, value, err);
	if (options->next >= options->argc)
		return NULL;
	arg = options->argv[options->next];
	if (arg[0] != '-' || arg[1] == '\0')
		return NULL;
	if (strcmp(arg, "--") == 0) {
		options->next++;
		return NULL;
	}
	if (arg[1] == '-')
		return next_long(options, value, err);
	options->next++;
	options->bundle = arg + 1;
	return next_letter(options, value, err);
}

int options_end(const struct options *options, struct error *err)
{
	if (options->next >= options->argc)
		return 0;
	return error_set(err, EXIT_USAGE, "usage", "\"%s\": takes no operands (try --help)",
	                 options->argv[options->next]);
}

const struct option policy_options[] = {
        OPTIONS_HEADING("What the command may do:"),
        {OPTION_SANDBOX, "sandbox", 's', "MODE",
         "read-only, workspace-write, danger-full-access or external-sandbox; read-only by default, "
         "workspace-write in a project that you trust"},
        {OPTION_FULL_AUTO, "auto", 0, NULL, "workspace-write, and never ask"},
        {OPTION_FULL_AUTO, "full-auto", 0, NULL, "the same, by its older name"},
        {OPTION_ADD_DIR, "add-dir", 0, "DIR", "one more writable root; may be repeated"},
        {OPTION_NARROW, "narrow", 0, "DIR",
         "of the workspace, only DIR is writable; may be repeated"},
        {OPTION_NETWORK, "network", 0, "WHAT",
         "off, loopback, loopback:NAME, hosts or on; with a NAME it is shared; loopback by default"},
        {OPTION_ALLOW_HOST, "allow-host", 0, "HOST",
         "NAME[:PORT] that the command may reach; may be repeated"},
        {OPTION_TMP, "tmp", 0, "WHICH", "what /tmp is inside: private, the default, or shared"},
        {OPTION_LIMIT, "limit", 0, "NAME=VALUE",
         "processes=N (16384 by default), memory=SIZE, cpu=CORES, tmp=SIZE, files=SIZE, such as "
         "2G; several with commas"},
        {OPTION_PREVIEW, "preview", 0, NULL,
         "run on a copy: nothing is changed until the changes are applied"},
        {OPTION_ACCEPT_LOST, "accept-lost", 0, "NAME",
         "run although this is lost: protected-paths, pinned-paths, hosts, unix-sockets, network, time-limit or limits"},
        {OPTION_ALLOW, "allow", 0, "PRESET",
         "add a preset such as git or cache:npm; may be repeated"},
        {OPTION_HIDE, "hide", 0, "PATH",
         "what cannot be read: a path, a pattern, secrets or gitignored; may be repeated"},
        {OPTION_ENV, "env", 0, "NAME[=VALUE]",
         "a variable for the command, as it is here or as VALUE; may be repeated"},
        {OPTION_TIMEOUT, "timeout", 0, "DURATION",
         "end the command after that long, such as 90s or 10m (status 124); never by default"},
        {OPTION_REQUIRE, "require", 0, NULL, "fail rather than run without a sandbox"},
        {OPTION_FORBID, "forbid", 0, NULL, "never use a sandbox"},
        OPTIONS_HEADING("When somebody is asked:"),
        {OPTION_ASK_FOR_APPROVAL, "ask-for-approval", 'a', "POLICY",
         "untrusted, on-change, on-failure, on-request or never; on-request by default"},
        {OPTION_ESCALATE, "escalate", 0, NULL, "ask to run outside the sandbox"},
        {OPTION_JUSTIFICATION, "justification", 0, "TEXT", "why, for the person who is asked"},
        OPTIONS_HEADING("Where settings come from:"),
        {OPTION_PROFILE, "profile", 'p', "NAME", "a profile of the configuration"},
        {OPTION_PERMISSIONS, "permissions", 'P', "NAME",
         "a permission set of the configuration, or a built-in one"},
        {OPTION_CONFIG, "config", 'c', "KEY=VALUE",
         "set a configuration key (dotted) to a TOML value"},
        {OPTION_CD, "cd", 'C', "DIR", "run in DIR, which is then the workspace"},
        {0},
};
