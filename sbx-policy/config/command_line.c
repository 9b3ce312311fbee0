#include "config/command_line.h"

#include "config/take_option.h"
#include "document/options.h"
#include "network/tool_hosts.h"
#include "policy/words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
        .notes =
                "Status: 0 documents written, or all that was asked about is allowed; 1 something\n"
                "is not, or differs; 2 wrong usage, 3 bad input, 5 a system call failed.\n"
                "\n"
                "  sbx-policy --auto --explain\n"
                "  sbx-policy --auto --check-path write src/main.c .git/config\n"
                "\n"
                "More in sbx-policy(1); the configuration in sbx-config(5).",
};

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
		                 "--tool patch and --file or --patch need each other");
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

		if (take_option(request, option->id, value, notes, &why) == 0)
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
		status = take_mode(request, name, err);
	else
		status = take_permissions(request, name, err);
	return status < 0 ? -1 : full_auto_agrees(request, err);
}

void request_free(struct request *request)
{
	settings_free(&request->flags);
	config_free(&request->overrides);
	free(request->accepted);
	root_list_free(&request->files);
}

/* What contradicts itself is refused rather than decided by the order of words. */
int settings_agree(const struct settings *settings, struct error *err)
{
	enum mode mode = (enum mode)settings->mode.value;

	if (settings->added.count && mode != MODE_WORKSPACE_WRITE)
		return error_set(
		        err, EXIT_USAGE, "usage",
		        "--add-dir \"%s\": needs --auto or --sandbox workspace-write, not %s",
		        settings->added.paths[0], mode_names[mode]);
	if (settings->hidden.count && mode_width((int)mode) > mode_width(MODE_WORKSPACE_WRITE))
		return error_set(err, EXIT_USAGE, "usage",
		                 "--hide \"%s\": %s runs without a sandbox, and nothing is hidden",
		                 settings->hidden.paths[0], mode_names[mode]);
	for (size_t i = 0; i < settings->presets.count; i++)
		if (mode != MODE_WORKSPACE_WRITE && !is_tool_hosts(settings->presets.paths[i]))
			return error_set(
			        err, EXIT_USAGE, "usage",
			        "--allow \"%s\": needs --auto or --sandbox workspace-write, not %s",
			        settings->presets.paths[i], mode_names[mode]);
	if (settings_preview(settings) && mode_width((int)mode) > mode_width(MODE_WORKSPACE_WRITE))
		return error_set(err, EXIT_USAGE, "usage",
		                 "%s: %s runs without a sandbox, and nothing is previewed",
		                 settings->preview ? "--preview" : "approval_policy on-change",
		                 mode_names[mode]);
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
	if (settings->limits.most[LIMIT_TMP] &&
	    (mode == MODE_DANGER || mode == MODE_EXTERNAL || settings->tmp.value == TMP_SHARED))
		return error_set(
		        err, EXIT_USAGE, "usage",
		        "--limit tmp: bounds the private /tmp, and this run has the host's");
	if ((mode == MODE_DANGER || mode == MODE_EXTERNAL) && settings->tmp.layer == LAYER_FLAG &&
	    settings->tmp.value == TMP_PRIVATE)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--tmp private: %s runs without a sandbox, with the host's /tmp",
		                 mode_names[mode]);
	return 0;
}
