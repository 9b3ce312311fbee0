#include "command/where_it_runs.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "policy/loads_code.h"

#include <string.h>
#include <unistd.h>

extern char **environ;

/* Only the system's administrator puts programs here. */
static const char *const system_directories[] = {"/usr/bin", "/bin", "/usr/sbin", "/sbin"};

/* Variables that make a harmless program load or run something else. */
static const struct {
	const char *name;
	bool prefix;
} poison[] = {
        {"LD_", true},                  /* the loader: preload, library path, audit */
        {"DYLD_", true},                /* the same on macOS */
        {"GCONV_PATH", false},          /* libc loads modules from it */
        {"LOCPATH", false},             /* libc reads locales from it */
        {"NLSPATH", false},             /* libc reads message formats from it */
        {"GLIBC_TUNABLES", false},      /* libc */
        {"GETCONF_DIR", false},         /* libc executes from it */
        {"BASH_ENV", false},            /* bash sources it before a script */
        {"ENV", false},                 /* sh sources it */
        {"ZDOTDIR", false},             /* zsh sources what is in it */
        {"FPATH", false},               /* zsh and ksh load functions from it */
        {"BASH_FUNC_", true},           /* functions named like commands */
        {"SHELLOPTS", false},           /* bash: options, xtrace with PS4 */
        {"BASHOPTS", false},            /* bash: options */
        {"PS4", false},                 /* expanded when tracing */
        {"IFS", false},                 /* splits words otherwise */
        {"CDPATH", false},              /* cd goes elsewhere */
        {"POSIXLY_CORRECT", false},     /* options end elsewhere */
        {"RIPGREP_CONFIG_PATH", false}, /* rg: a file of options, --pre among them */
        {"GREP_OPTIONS", false},        /* old grep: options */
};

static bool is_poison(const char *variable)
{
	for (size_t i = 0; i < sizeof(poison) / sizeof(poison[0]); i++) {
		size_t len;

		if (poison[i].name[0] != variable[0])
			continue;
		len = strlen(poison[i].name);
		if (strncmp(variable, poison[i].name, len) == 0 &&
		    (poison[i].prefix || variable[len] == '='))
			return true;
	}
	return false;
}

static void look_at(char *const *env, struct site_memory *found)
{
	*found = (struct site_memory){.looked = true};
	for (; *env; env++) {
		if (strncmp(*env, "PATH=", 5) == 0)
			found->path = *env + 5;
		else if (strncmp(*env, "HOME=", 5) == 0)
			found->home = *env + 5;
		found->poisoned |= is_poison(*env);
		found->loads_code |= loader_variable(*env, strcspn(*env, "="));
	}
}

void site_look(struct site *site, const struct command *command, const json_t *policy,
               struct site_memory *memory)
{
	const json_t *permissions = json_object_get(policy, "permissions");
	struct site_memory given;
	const struct site_memory *seen = memory;

	if (!memory->looked)
		look_at(environ, memory);
	if (command->env) {
		look_at(command->env, &given);
		seen = &given;
	}
	*site = (struct site){.path = seen->path,
	                      .poisoned = seen->poisoned,
	                      .loads_code = command->env && seen->loads_code,
	                      .may_load = seen->loads_code,
	                      .own_home = seen->home && memory->home &&
	                                  strcmp(seen->home, memory->home) == 0,
	                      .fs = json_object_get(permissions, "fs"),
	                      .memory = command->env ? NULL : memory};
}

/* What cannot be compared here, or is too much, counts as the worst. */
static void look_up_roots(struct site *site)
{
	size_t i;
	json_t *entry;

	site->roots_known = true;
	json_array_foreach (site->fs, i, entry) {
		const char *access = json_string_value(json_object_get(entry, "access"));
		const json_t *path;

		if (!access || strcmp(access, "write") != 0)
			continue;
		path = json_object_get(entry, "path");
		if (!json_is_string(path) || json_string_length(path) == 1 ||
		    site->root_count == sizeof(site->roots) / sizeof(site->roots[0])) {
			site->all_writable = true;
			return;
		}
		site->roots[site->root_count++] =
		        (struct site_root){json_string_value(path), json_string_length(path)};
	}
}

/* Can a sandbox of this policy write to the directory? */
static bool is_writable(struct site *site, const char *directory, size_t len)
{
	if (!site->roots_known)
		look_up_roots(site);
	for (size_t i = 0; i < site->root_count; i++) {
		const struct site_root *root = &site->roots[i];

		if (root->len <= len && memcmp(root->path, directory, root->len) == 0 &&
		    (root->len == len || directory[root->len] == '/'))
			return true;
	}
	return site->all_writable;
}

static bool is_system(struct site *site, const char *directory, size_t len)
{
	for (size_t i = 0; i < sizeof(system_directories) / sizeof(system_directories[0]); i++)
		if (strlen(system_directories[i]) == len &&
		    memcmp(system_directories[i], directory, len) == 0)
			return !is_writable(site, directory, len);
	return false;
}

/* The directory of PATH that has the name first; false when none has. */
static bool search(struct site *site, const char *name, const char **directory, size_t *len)
{
	char file[4096];
	size_t name_len = strlen(name);

	for (const char *p = site->path ? site->path : "/bin:/usr/bin";; p++) {
		*directory = p;
		*len = strcspn(p, ":");
		/* A relative entry is the working directory's word; a long one too odd. */
		if (*len == 0 || *p != '/' || *len + name_len + 2 > sizeof(file))
			return true;
		memcpy(file, p, *len);
		file[*len] = '/';
		memcpy(file + *len + 1, name, name_len + 1);
		if (access(file, X_OK) == 0)
			return true;
		p += *len;
		if (*p == '\0')
			return false;
	}
}

/* Could a sandbox put a program in front of what was found? */
static bool can_change(struct site *site, const char *directory, size_t len)
{
	for (const char *p = site->path; p && p <= directory; p += strcspn(p, ":") + 1)
		if (is_writable(site, p, strcspn(p, ":")))
			return true;
	return is_writable(site, directory, len);
}

static bool find(struct site *site, const char *name, const char **directory, size_t *len)
{
	struct site_memory *m = site->memory;
	bool found;

	for (size_t i = 0; m && i < m->count; i++) {
		const struct site_found *f = &m->found[i];

		if (strcmp(f->name, name) != 0 || can_change(site, f->directory, f->len))
			continue;
		*directory = f->directory;
		*len = f->len;
		return f->found;
	}
	found = search(site, name, directory, len);
	/* What is not there may be made; what is there stays the first. */
	if (found && m && m->path && m->count < sizeof(m->found) / sizeof(m->found[0]) &&
	    strlen(name) < sizeof(m->found[0].name)) {
		struct site_found *f = &m->found[m->count++];

		*f = (struct site_found){.directory = *directory, .len = *len, .found = true};
		memcpy(f->name, name, strlen(name) + 1);
	}
	return found;
}

const char *site_system_program(struct site *site, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *directory;
	size_t len;

	if (slash)
		return is_system(site, name, (size_t)(slash - name)) ? slash + 1 : NULL;
	/* Not found: a shell may have it built in, and nothing else can run. */
	if (!find(site, name, &directory, &len) || is_system(site, directory, len))
		return name;
	return NULL;
}

bool site_leads_out_of_reach(struct site *site, const char *name)
{
	const char *directory;
	size_t len;

	if (strchr(name, '/'))
		return false;
	if (!find(site, name, &directory, &len))
		return true;
	return len > 0 && *directory == '/' && !memmem(directory, len, "/.", 2) &&
	       !is_writable(site, directory, len);
}

bool site_program_out_of_reach(struct site *site, const char *word)
{
	cleanup_free char *path = NULL, *real = NULL;
	const char *directory;
	struct error ignored;
	size_t len;

	if (*word == '/') {
		path = xstrdup(word);
	} else {
		if (strchr(word, '/') || !find(site, word, &directory, &len) || *directory != '/')
			return false;
		path = xasprintf("%.*s/%s", (int)len, directory, word);
	}
	real = path_is_normal(path) ? path_canonical(path, &ignored) : NULL;
	return real && !is_writable(site, path, strlen(path)) &&
	       !is_writable(site, real, strlen(real));
}
