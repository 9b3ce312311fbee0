#include "config/take_option.h"

#include "typed/amount.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "config/config_file.h"
#include "document/json_pool.h"
#include "policy/words.h"

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

int take_mode(struct request *r, const char *value, struct error *err)
{
	static const char source[] = "flag --sandbox";
	int mode = word_index(mode_names, value);

	if (mode >= 0 && one_mode(r, mode, source, err) < 0)
		return -1;
	return put_word(&r->flags.mode, source, value, mode_names, err);
}

int take_permissions(struct request *r, const char *value, struct error *err)
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
	cleanup_free char *before = r->accepted;
	cleanup_free char *key = NULL;

	r->accepted = NULL;
	if (word_index(accepted_names, value) < 0)
		return wrong_word(err, "--accept-lost", value, accepted_names);
	r->accepted = xasprintf("%s%s\"%s\"", before ? before : "", before ? "," : "", value);
	key = xasprintf("sbx.accept_lost=[%s]", r->accepted);
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

/* NAME=VALUE, or several with commas between. */
static int limit(struct settings *flags, const char *value, struct error *err)
{
	const char *rest = value;

	do {
		size_t len = strcspn(rest, ",");
		cleanup_free char *name = xstrndup(rest, len);
		char *most = strchr(name, '=');
		int which;

		if (most)
			*most++ = '\0';
		which = word_index(limit_names, name);
		if (which < 0)
			return wrong_word(err, "--limit", name, limit_names);
		if (limit_parse((enum limit)which, most ? most : "", &flags->limits.most[which],
		                err) < 0) {
			struct error why = *err;

			return error_set(err, EXIT_USAGE, "usage", "--limit %s", why.message);
		}
		rest += len;
	} while (*rest++);
	return 0;
}

int take_option(struct request *r, int id, const char *value, struct notes *notes,
                struct error *err)
{
	struct settings *flags = &r->flags;

	switch (id) {
	case OPTION_SANDBOX:
		return take_mode(r, value, err);
	case OPTION_ASK_FOR_APPROVAL:
		return put_word(&flags->approval, "flag --ask-for-approval", value, approval_names,
		                err);
	case OPTION_PROFILE:
		r->profile = value;
		return 0;
	case OPTION_PERMISSIONS:
		return take_permissions(r, value, err);
	case OPTION_CD:
		r->directory = value;
		return 0;
	case OPTION_CONFIG:
		return override_take(&r->overrides, value, notes, err);
	case OPTION_ADD_DIR:
		root_list_add(&flags->added, value);
		return 0;
	case OPTION_NARROW:
		/* As "." it would narrow nothing, which an unset variable does not mean. */
		if (!*value)
			return error_set(err, EXIT_USAGE, "usage",
			                 "--narrow \"\": the path is empty");
		root_list_add(&flags->narrowed, value);
		return 0;
	case OPTION_NETWORK:
		return network(flags, value, err);
	case OPTION_ALLOW_HOST:
		return allow_host(flags, value, err);
	case OPTION_TMP:
		return put_word(&flags->tmp, "flag --tmp", value, tmp_names, err);
	case OPTION_LIMIT:
		return limit(flags, value, err);
	case OPTION_PREVIEW:
		flags->preview = true;
		return 0;
	case OPTION_ACCEPT_LOST:
		return accept_lost(r, value, notes, err);
	case OPTION_ENV:
		return variable(r, value, notes, err);
	case OPTION_HIDE:
		/* As "." it would be all of the workspace, which an unset variable does not mean.
		 */
		if (!*value)
			return error_set(err, EXIT_USAGE, "usage",
			                 "--hide \"\": the path is empty");
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
