#include "site.h"

#include "path.h"

#include <stdlib.h>
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
		size_t len = strlen(poison[i].name);

		if (strncmp(variable, poison[i].name, len) == 0 &&
		    (poison[i].prefix || variable[len] == '='))
			return true;
	}
	return false;
}

void site_look(struct site *site, const struct command *command, const json_t *policy)
{
	const json_t *permissions = json_object_get(policy, "permissions");
	char *const *env = command->env ? command->env : environ;
	const char *own_home = getenv("HOME");
	const char *home = NULL;

	*site = (struct site){.fs = json_object_get(permissions, "fs")};
	for (; *env; env++) {
		switch ((*env)[0]) {
		case 'P':
			if (strncmp(*env, "PATH=", 5) == 0)
				site->path = *env + 5;
			break;
		case 'H':
			if (strncmp(*env, "HOME=", 5) == 0)
				home = *env + 5;
			break;
		}
		site->poisoned |= is_poison(*env);
	}
	site->own_home = home && own_home && strcmp(home, own_home) == 0;
}

/* Can a sandbox of this policy write to the directory? */
static bool is_writable(const struct site *site, const char *directory, size_t len)
{
	size_t i;
	json_t *entry;

	json_array_foreach (site->fs, i, entry) {
		const char *access = json_string_value(json_object_get(entry, "access"));
		const json_t *value = json_object_get(entry, "path");
		const char *path = json_string_value(value);
		size_t path_len = json_string_length(value);

		if (!access || strcmp(access, "write") != 0)
			continue;
		/* A path that is not text cannot be compared here: assume the worst. */
		if (!path || path_len == 1)
			return true;
		if (path_len <= len && strncmp(path, directory, path_len) == 0 &&
		    (path_len == len || directory[path_len] == '/'))
			return true;
	}
	return false;
}

static bool is_system(const struct site *site, const char *directory, size_t len)
{
	for (size_t i = 0; i < sizeof(system_directories) / sizeof(system_directories[0]); i++)
		if (strlen(system_directories[i]) == len &&
		    memcmp(system_directories[i], directory, len) == 0)
			return !is_writable(site, directory, len);
	return false;
}

/* The directory of PATH that has the name first; false when none has. */
static bool find(const struct site *site, const char *name, const char **directory, size_t *len)
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

const char *site_system_program(const struct site *site, const char *name)
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

bool site_leads_out_of_reach(const struct site *site, const char *name)
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
