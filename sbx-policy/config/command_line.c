#include "config/command_line.h"

#include "base/amount.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "config/config_file.h"
#include "document/json_pool.h"
#include "document/options.h"
#include "policy/permissions.h"
#include "policy/words.h"
#include "network/tool_hosts.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int wrong_word(struct error *err, const char *option, const char *value,
                      const char *const *words)
{
	cleanup_free char *expected = words_joined(words);

	return error_set(err, EXIT_USAGE, "usage", "%s \"%s\": expected %s", option, value,
	                 expected);
}

/* `source` is "flag --NAME". */
static int put_word(struct setting *setting, const char *source, const char *value,
                    const char *const *words, struct error *err)
{
	int index = word_index(words, value);

	if (index < 0)
		return wrong_word(err, source + strlen("flag "), value, words);
	setting_put(setting, index, LAYER_FLAG, source);
	return 0;
}

static int contradiction(struct error *err)
{
	return error_set(err, EXIT_USAGE, "usage",
	                 "--sandbox and --permissions contradict each other");
}

static int one_mode(const struct request *r, int mode, const char *source, struct error *err)
{
	const struct setting *set = &r->flags.mode;

	if (r->flags.set.name && r->flags.set.layer == LAYER_FLAG)
		return contradiction(err);
	if (set->layer != LAYER_FLAG || set->value == mode || strcmp(set->source, source) == 0)
		return 0;
	return contradiction(err);
}

static int sandbox(struct request *r, const char *value, struct error *err)
{
	static const char source[] = "flag --sandbox";
	int mode = word_index(mode_names, value);

	if (mode >= 0 && one_mode(r, mode, source, err) < 0)
		return -1;
	return put_word(&r->flags.mode, source, value, mode_names, err);
}

static int permission_set(struct request *r, const char *value, struct error *err)
{
	/* A leading colon is reserved for these. */
	static const char *const built_in[] = {":read-only", ":workspace", ":danger-full-access",
	                                       NULL};
	int index = word_index(built_in, value);

	if (index >= 0) {
		if (r->flags.set.name || one_mode(r, index, "flag --permissions", err) < 0)
			return contradiction(err);
		setting_put(&r->flags.mode, index, LAYER_FLAG, "flag --permissions");
		r->flags.mode.built_in = true;
		return 0;
	}
	if (r->flags.mode.layer == LAYER_FLAG)
		return contradiction(err);
	r->flags.set.name = value;
	r->flags.set.layer = LAYER_FLAG;
	r->flags.set.source = "flag --permissions";
	return 0;
}

static int timeout(struct request *r, const char *value, struct error *err)
{
	int64_t ms;

	if (duration_parse(value, &ms) < 0)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--timeout \"%s\": expected " DURATION_FORM, value);
	r->timeout_ms = ms;
	r->for_command = true;
	return 0;
}

/* One question at a time. */
static int ask(struct request *r, enum question question, struct error *err)
{
	if (r->question != QUESTION_DOCUMENT && r->question != question)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--explain, --check-path, --test, --diff, --list, --trust, "
		                 "--untrust, --remember, --forget and --caches exclude each "
		                 "other");
	r->question = question;
	return 0;
}

static int check_path(struct request *r, const char *value, struct error *err)
{
	static const char *const words[] = {"read", "write", NULL};

	if (word_index(words, value) < 0)
		return wrong_word(err, "--check-path", value, words);
	r->access = (enum access)access_parse(value);
	return ask(r, QUESTION_CHECK_PATH, err);
}

static int list_names(struct request *r, const char *value, struct error *err)
{
	static const char *const words[] = {"profiles", "permissions", NULL};

	if (word_index(words, value) < 0)
		return wrong_word(err, "--list", value, words);
	r->file = words[word_index(words, value)];
	return ask(r, QUESTION_LIST, err);
}

static int allow_host(struct settings *flags, const char *value, struct error *err)
{
	struct host_rule rule;

	if (host_rule_parse(value, &rule, err) < 0) {
		err->exit = EXIT_USAGE;
		return -1;
	}
	if (rule.deny)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--allow-host \"%s\": only a permission set denies", value);
	root_list_add(&flags->hosts, value);
	return 0;
}

/* As the configuration says it, for this run. */
static int accept_lost(struct request *r, const char *value, struct notes *notes, struct error *err)
{
	cleanup_free char *key = xasprintf("sbx.accept_lost=[\"%s\"]", value);

	if (word_index(accepted_names, value) < 0)
		return wrong_word(err, "--accept-lost", value, accepted_names);
	return override_take(&r->overrides, key, notes, err);
}

static int tool(struct request *r, const char *value, struct error *err)
{
	static const char *const words[] = {"exec", "patch", NULL};

	if (word_index(words, value) < 0)
		return wrong_word(err, "--tool", value, words);
	r->tool = words[word_index(words, value)];
	r->for_command = true;
	return 0;
}

enum own {
	OWN_EXPLAIN = OPTION_OWN,
	OWN_CHECK_PATH,
	OWN_TEST,
	OWN_DIFF,
	OWN_LIST,
	OWN_TRUST,
	OWN_UNTRUST,
	OWN_ASK_TRUST,
	OWN_REMEMBER,
	OWN_FORGET,
	OWN_CACHES,
	OWN_CLEAR,
	OWN_ALL,
	OWN_TOOL,
	OWN_FILE,
	OWN_PATCH,
};

static const struct option own_options[] = {
        OPTIONS_HEADING("What else it does:"),
        {OWN_EXPLAIN, "explain", 0, NULL,
         "print the policy as a tree, with the source of each line"},
        {OWN_CHECK_PATH, "check-path", 0, "read|write",
         "say of each PATH whether the policy allows it"},
        {OWN_TEST, "test", 0, "FILE", "check the assertions in FILE; 1 when one of them fails"},
        {OWN_DIFF, "diff", 0, NULL, "how the policies in the documents A and B differ"},
        {OWN_LIST, "list", 0, "profiles|permissions", "print the names that -p or -P can choose"},
        {OWN_TRUST, "trust", 0, NULL, "trust the project in DIR, or here"},
        {OWN_UNTRUST, "untrust", 0, NULL, "stop trusting it"},
        {OWN_ASK_TRUST, "ask-trust", 0, NULL,
         "ask at the terminal about a project that nobody decided about"},
        {OWN_REMEMBER, "remember", 0, NULL,
         "keep --add-dir and --allow-host for every run of the project"},
        {OWN_FORGET, "forget", 0, NULL, "do not keep them any longer"},
        {OWN_CACHES, "caches", 0, NULL, "list what is kept of tools' caches, by workspace"},
        {OWN_CLEAR, "clear", 0, NULL, "and remove it: of each DIR, or of the workspace here"},
        {OWN_ALL, "all", 0, NULL, "of every workspace"},
        {OWN_TOOL, "tool", 0, "TOOL", "what the command is: exec, or patch, which changes files"},
        {OWN_FILE, "file", 0, "FILE", "a file that the patch changes; may be repeated"},
        {OWN_PATCH, "patch", 0, "FILE",
         "the text of the patch, - for stdin; its files are those it names"},
        {0},
};

static const struct program program = {
        .name = "sbx-policy",
        .synopsis = "[options] [--] [COMMAND ARG...]\n"
                    "       sbx-policy [options] --check-path read|write [--] PATH...\n"
                    "       sbx-policy [options] --explain | --test FILE\n"
                    "       sbx-policy [options] --diff A [B]\n"
                    "       sbx-policy --list profiles|permissions\n"
                    "       sbx-policy --trust [DIR] | --untrust [DIR]\n"
                    "       sbx-policy --caches [--clear [--all | DIR...]]\n"
                    "       sbx-policy --remember | --forget --add-dir DIR [PROJECT]",
        .purpose = "Resolves the policy: makes the first document for COMMAND, or adds \"policy\"\n"
                   "to the documents on standard input.",
        .tables = {policy_options, own_options},
};

/* As -c would set it.  Without a value it is the caller's own, secret or not. */
static int variable(struct request *r, const char *given, struct notes *notes, struct error *err)
{
	size_t len = strcspn(given, "=");
	cleanup_free char *name = xstrndup(given, len);
	const char *value = given[len] ? given + len + 1 : getenv(name);
	cleanup_json json_t *text = value ? json_string(value) : NULL;
	cleanup_json json_t *key = json_string(name);
	cleanup_free char *value_text = text ? json_text_dump(text, JSON_ENCODE_ANY) : NULL;
	cleanup_free char *key_text = key ? json_text_dump(key, JSON_ENCODE_ANY) : NULL;
	cleanup_free char *whole = NULL;

	if (len == 0 || !key_text)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--env \"%s\": expected NAME or NAME=VALUE", given);
	if (!value)
		return error_set(err, EXIT_USAGE, "usage", "--env %s: the variable is not set",
		                 name);
	if (!value_text)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--env %s: the value is not UTF-8; set it in command.env", name);
	whole = xasprintf("shell_environment_policy.set.%s=%s", key_text, value_text);
	return override_take(&r->overrides, whole, notes, err);
}

/* WHAT, or loopback:NAME, which several runs have in common. */
static int network(struct settings *flags, const char *value, struct error *err)
{
	const char *colon = strchr(value, ':');
	cleanup_free char *word = colon ? xstrndup(value, (size_t)(colon - value)) : NULL;

	if (!colon) {
		flags->network_name = NULL;
		return put_word(&flags->network, "flag --network", value, network_names, err);
	}
	if (network_parse(word) != NETWORK_LOOPBACK)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--network \"%s\": only a loopback can have a name: "
		                 "loopback:NAME",
		                 value);
	if (!is_network_name(colon + 1))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--network \"%s\": a name is made of letters, digits, \".\", "
		                 "\"_\" and \"-\", 64 at most",
		                 value);
	flags->network_name = colon + 1;
	return put_word(&flags->network, "flag --network", word, network_names, err);
}

static int take(struct request *r, int id, const char *value, struct notes *notes,
                struct error *err)
{
	struct settings *flags = &r->flags;

	switch (id) {
	case OPTION_SANDBOX:
		return sandbox(r, value, err);
	case OPTION_ASK_FOR_APPROVAL:
		return put_word(&flags->approval, "flag --ask-for-approval", value, approval_names,
		                err);
	case OPTION_PROFILE:
		r->profile = value;
		return 0;
	case OPTION_PERMISSIONS:
		return permission_set(r, value, err);
	case OPTION_CD:
		r->directory = value;
		return 0;
	case OPTION_CONFIG:
		return override_take(&r->overrides, value, notes, err);
	case OPTION_ADD_DIR:
		root_list_add(&flags->added, value);
		return 0;
	case OPTION_NETWORK:
		return network(flags, value, err);
	case OPTION_ALLOW_HOST:
		return allow_host(flags, value, err);
	case OPTION_TMP:
		return put_word(&flags->tmp, "flag --tmp", value, tmp_names, err);
	case OPTION_ACCEPT_LOST:
		return accept_lost(r, value, notes, err);
	case OPTION_ENV:
		return variable(r, value, notes, err);
	case OPTION_HIDE:
		root_list_add(&flags->hidden, value);
		return 0;
	case OPTION_ALLOW:
		root_list_add(&flags->presets, value);
		return 0;
	case OPTION_FULL_AUTO:
		r->full_auto = true;
		return 0;
	case OPTION_TIMEOUT:
		return timeout(r, value, err);
	case OPTION_ESCALATE:
		r->escalate = r->for_command = true;
		return 0;
	case OPTION_JUSTIFICATION:
		r->justification = value;
		r->for_command = true;
		return 0;
	case OPTION_REQUIRE:
		r->require = r->for_command = true;
		return 0;
	case OPTION_FORBID:
		r->forbid = r->for_command = true;
		return 0;
	case OWN_EXPLAIN:
		return ask(r, QUESTION_EXPLAIN, err);
	case OWN_CHECK_PATH:
		return check_path(r, value, err);
	case OWN_TEST:
		r->file = value;
		return ask(r, QUESTION_TEST, err);
	case OWN_DIFF:
		return ask(r, QUESTION_DIFF, err);
	case OWN_LIST:
		return list_names(r, value, err);
	case OWN_TRUST:
		return ask(r, QUESTION_TRUST, err);
	case OWN_UNTRUST:
		return ask(r, QUESTION_UNTRUST, err);
	case OWN_ASK_TRUST:
		r->ask_trust = true;
		return 0;
	case OWN_REMEMBER:
		return ask(r, QUESTION_REMEMBER, err);
	case OWN_FORGET:
		return ask(r, QUESTION_FORGET, err);
	case OWN_CACHES:
		return ask(r, QUESTION_CACHES, err);
	case OWN_CLEAR:
		r->clear = true;
		return 0;
	case OWN_ALL:
		r->all = true;
		return 0;
	case OWN_TOOL:
		return tool(r, value, err);
	case OWN_FILE:
		root_list_add(&r->files, value);
		r->for_command = true;
		return 0;
	case OWN_PATCH:
		r->patch = value;
		r->for_command = true;
		return 0;
	}
	return error_set(err, EXIT_USAGE, "usage", "option %d is not known here", id);
}

/* --full-auto names a mode and an approval policy; it may not be made to mean another. */
static int full_auto_agrees(const struct request *request, struct error *err)
{
	const struct settings *settings = &request->flags;
	int never = word_index(approval_names, "never");

	if (!request->full_auto)
		return 0;
	if (settings->set.name)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--full-auto means workspace-write and cannot be combined with "
		                 "--permissions %s",
		                 settings->set.name);
	if (settings->mode.layer == LAYER_FLAG && settings->mode.value != MODE_WORKSPACE_WRITE)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--full-auto means workspace-write and cannot be combined with %s",
		                 mode_names[settings->mode.value]);
	if (settings->approval.layer == LAYER_FLAG && settings->approval.value != never)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--full-auto means never ask and cannot be combined with %s",
		                 approval_names[settings->approval.value]);
	return 0;
}

/* How many operands each question takes. */
static int operands(const struct request *request, struct error *err)
{
	static const struct {
		size_t least, most;
		const char *line;
	} takes[] = {
	        [QUESTION_DOCUMENT] = {0, SIZE_MAX, ""},
	        [QUESTION_EXPLAIN] = {0, SIZE_MAX, ""},
	        [QUESTION_CHECK_PATH] = {1, SIZE_MAX, "--check-path: no path given"},
	        [QUESTION_TEST] = {0, 0, "--test: takes one file and no operands"},
	        [QUESTION_DIFF] = {1, 2, "--diff: expected A and B, or A alone"},
	        [QUESTION_LIST] = {0, 0, "--list: takes no operands"},
	        [QUESTION_TRUST] = {0, 1, "--trust: expected one directory"},
	        [QUESTION_UNTRUST] = {0, 1, "--untrust: expected one directory"},
	        [QUESTION_REMEMBER] = {0, 1, "--remember: expected one directory"},
	        [QUESTION_FORGET] = {0, 1, "--forget: expected one directory"},
	        [QUESTION_CACHES] = {0, SIZE_MAX, ""},
	};
	size_t count = 0;

	while (request->operands[count])
		count++;
	if (count < takes[request->question].least || count > takes[request->question].most)
		return error_set(err, EXIT_USAGE, "usage", "%s", takes[request->question].line);
	if (request->question == QUESTION_DOCUMENT && count > 0 && !request->operands[0][0])
		return error_set(err, EXIT_USAGE, "usage", "the command is empty");
	if (request->for_command && request->question == QUESTION_DOCUMENT && count == 0)
		return error_set(
		        err, EXIT_USAGE, "usage",
		        "--timeout, --escalate, --justification, --require, --forbid, --tool, "
		        "--file and --patch need a command");
	return 0;
}

/* What is wrong with the whole of it. */
static int check(const struct request *request, struct error *err)
{
	if (full_auto_agrees(request, err) < 0)
		return -1;
	if (request->require && request->forbid)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--require and --forbid exclude each other");
	if ((request->files.count || request->patch) != (strcmp(request->tool, "patch") == 0))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--tool patch needs --file or --patch, and they need it");
	if ((request->clear && request->question != QUESTION_CACHES) ||
	    (request->all && !request->clear))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--clear is for --caches, and --all for --clear");
	if (request->question == QUESTION_CACHES && request->operands[0] &&
	    (!request->clear || request->all))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--caches: directories are for --clear, without --all");
	return operands(request, err);
}

int request_read(struct request *request, int argc, char **argv, struct notes *notes,
                 struct error *err)
{
	const struct option *option;
	struct options options;
	const char *value;
	int status;

	*request = (struct request){.tool = "exec"};
	settings_default(&request->flags);
	config_begin(&request->overrides);
	options_begin(&options, &program, argc, argv);
	while ((option = options_next(&options, &value, err)) != NULL) {
		struct error why = {0};

		if (take(request, option->id, value, notes, &why) == 0)
			continue;
		if (why.exit == EXIT_USAGE) {
			*err = why;
			break;
		}
		if (request->refused.exit == 0)
			request->refused = why;
	}
	request->operands = argv + options.next;
	status = err->exit ? -1 : check(request, err);
	if (status < 0)
		request_free(request);
	return status;
}

int request_choose(struct request *request, const char *name, struct error *err)
{
	static const char profile[] = "profile:";
	int status = 0;

	if (strncmp(name, profile, strlen(profile)) == 0)
		request->profile = name + strlen(profile);
	else if (word_index(mode_names, name) >= 0)
		status = sandbox(request, name, err);
	else
		status = permission_set(request, name, err);
	return status < 0 ? -1 : full_auto_agrees(request, err);
}

void request_free(struct request *request)
{
	settings_free(&request->flags);
	config_free(&request->overrides);
	root_list_free(&request->files);
}

/* What contradicts itself is refused rather than decided by the order of words. */
int settings_agree(const struct settings *settings, struct error *err)
{
	enum mode mode = (enum mode)settings->mode.value;

	if (settings->added.count && mode != MODE_WORKSPACE_WRITE)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--add-dir \"%s\": needs --sandbox workspace-write, not %s",
		                 settings->added.paths[0], mode_names[mode]);
	if (settings->hidden.count && mode_width((int)mode) > mode_width(MODE_WORKSPACE_WRITE))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--hide \"%s\": %s runs without a sandbox, and nothing is hidden",
		                 settings->hidden.paths[0], mode_names[mode]);
	for (size_t i = 0; i < settings->presets.count; i++)
		if (mode != MODE_WORKSPACE_WRITE && !is_tool_hosts(settings->presets.paths[i]))
			return error_set(err, EXIT_USAGE, "usage",
			                 "--allow \"%s\": needs --sandbox workspace-write, not %s",
			                 settings->presets.paths[i], mode_names[mode]);
	/* Nothing would enforce it: danger-full-access runs without a sandbox. */
	if (mode == MODE_DANGER && settings->network.layer == LAYER_FLAG &&
	    settings->network.value != NETWORK_UNSET && settings->network.value != NETWORK_ON)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--network %s: danger-full-access does not restrict the network",
		                 network_names[settings->network.value]);
	if (settings->hosts.count && (mode == MODE_DANGER || mode == MODE_EXTERNAL))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--allow-host \"%s\": %s does not "
		                 "restrict the network",
		                 settings->hosts.paths[0], mode_names[mode]);
	if (settings->hosts.count && settings->network.layer == LAYER_FLAG &&
	    settings->network.value != NETWORK_UNSET && settings->network.value < NETWORK_HOSTS)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--allow-host and --network %s contradict each other",
		                 network_names[settings->network.value]);
	if ((mode == MODE_DANGER || mode == MODE_EXTERNAL) && settings->tmp.layer == LAYER_FLAG &&
	    settings->tmp.value == TMP_PRIVATE)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--tmp private: %s runs without a sandbox, with the host's /tmp",
		                 mode_names[mode]);
	return 0;
}
