#include "closed/bystanders.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "entries/carve_outs.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "trust/host_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what variables name --------------------------------------------------- */

/* Where in a value the paths are. */
enum form {
	WHOLE,   /* the value is a path */
	UP_TO,   /* a path, then a comma or a colon and numbers */
	IN_DIR,  /* a path, or a name in $XDG_RUNTIME_DIR */
	ADDRESS, /* paths behind "=", ":" or "@", each up to a comma or a semicolon */
};

/* By name: looked up for every variable there is. */
static const struct variable {
	const char *name;
	enum form form;
} variables[] = {
        {"ABDUCO_SOCKET_DIR", WHOLE},          /* terminals that one can come back to */
        {"ALACRITTY_SOCKET", WHOLE},           /* a terminal that starts programs on request */
        {"AT_SPI_BUS_ADDRESS", ADDRESS},       /* sees every window */
        {"CONTAINER_HOST", ADDRESS},           /* podman: starts anything */
        {"DBUS_SESSION_BUS_ADDRESS", ADDRESS}, /* starts anything of the user's */
        {"DBUS_SYSTEM_BUS_ADDRESS", ADDRESS},  /* reaches every system service */
        {"DISPLAY", WHOLE},                    /* a path on macOS */
        {"DOCKER_HOST", ADDRESS},              /* starts anything, as root */
        {"EMACS_SERVER_FILE", WHOLE},          /* where an editor is told what to run */
        {"EMACS_SOCKET_NAME", WHOLE},          /* the same */
        {"GNOME_KEYRING_CONTROL", WHOLE},      /* passwords */
        {"GNUPGHOME", WHOLE},                  /* keys, and the agent's socket */
        {"GPG_AGENT_INFO", UP_TO},             /* the agent of old */
        {"I3SOCK", WHOLE},                     /* a window manager that starts programs */
        {"ICEAUTHORITY", WHOLE},               /* who may talk to the session manager */
        {"KITTY_LISTEN_ON", ADDRESS},          /* a terminal that starts programs */
        {"KRB5CCNAME", ADDRESS},               /* tickets */
        {"NVIM", WHOLE},                       /* an editor that runs what it is told */
        {"NVIM_LISTEN_ADDRESS", WHOLE},        /* the same */
        {"PIPEWIRE_RUNTIME_DIR", WHOLE},       /* microphones and screens */
        {"PULSE_SERVER", ADDRESS},             /* microphones */
        {"SBX_SESSION", WHOLE},                /* decides what runs without being asked */
        {"SCREENDIR", WHOLE},                  /* terminals of screen */
        {"SESSION_MANAGER", ADDRESS},          /* restarts programs */
        {"SSH_AUTH_SOCK", WHOLE},              /* keys */
        {"SWAYSOCK", WHOLE},                   /* a window manager that starts programs */
        {"TMUX", UP_TO},                       /* terminals: a client runs what its server says */
        {"VSCODE_GIT_IPC_HANDLE", WHOLE},      /* passwords for git */
        {"VSCODE_IPC_HOOK", WHOLE},            /* an editor that runs what it is told */
        {"VSCODE_IPC_HOOK_CLI", WHOLE},        /* the same */
        {"WAYLAND_DISPLAY", IN_DIR},           /* sees every key */
        {"WAYLAND_SOCKET_DIR", WHOLE},         /* the same */
        {"WEZTERM_UNIX_SOCKET", WHOLE},        /* terminals */
        {"XAUTHORITY", WHOLE},                 /* who may talk to the display */
        {"XDG_RUNTIME_DIR", WHOLE},            /* where all of these are by default */
        {"ZELLIJ_SOCKET_DIR", WHOLE},          /* terminals */
};

#define VARIABLES (sizeof(variables) / sizeof(variables[0]))

static const struct variable *find(const char *text)
{
	size_t len = strcspn(text, "="), low = 0, high = VARIABLES;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *name = variables[middle].name;
		int order = strncmp(name, text, len);

		if (order == 0 && name[len])
			order = 1;
		if (order == 0)
			return &variables[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* What cannot be resolved is said; a command could have left it, to stop every run. */
static void protect_named(struct workbench *bench, const char *path, const char *source)
{
	struct error why = {0};
	cleanup_free char *whole = path_normal(path);

	/* A root itself stays one: there the variable names no place of its own. */
	if (path_depth(whole) == 0 || policy_origin(bench->policy, whole))
		return;
	if (protect_path(bench, whole, source, &why) < 0)
		notes_add(bench->notes, "%s: %s; not protected", source, why.message);
}

/* The path that begins here, up to one of the ends. */
static void protect_part(struct workbench *bench, const char *text, const char *ends,
                         const char *source)
{
	cleanup_free char *path = xstrndup(text, strcspn(text, ends));

	if (path[0] == '/')
		protect_named(bench, path, source);
}

static void protect_address(struct workbench *bench, const char *value, const char *source)
{
	if (value[0] == '/')
		protect_part(bench, value, ",;", source);
	for (const char *at = value; (at = strchr(at, '/')) != NULL; at++)
		if (at > value && strchr("=:@", at[-1]))
			/* "unix:///path" is a path with two slashes too many. */
			protect_part(bench, at + (at[1] == '/' && at[2] == '/' ? 2 : 0), ",;",
			             source);
}

static void protect_variable(struct workbench *bench, const struct variable *variable,
                             const char *value)
{
	const char *source = bench_word(bench, variable->name);
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (variable->form == ADDRESS) {
		protect_address(bench, value, source);
	} else if (variable->form == IN_DIR && value[0] && value[0] != '/') {
		cleanup_free char *path =
		        runtime && runtime[0] == '/' ? path_join(runtime, value) : NULL;

		if (path)
			protect_named(bench, path, source);
	} else {
		protect_part(bench, value, variable->form == UP_TO ? ",:" : "", source);
	}
}

static void protect_variables(struct workbench *bench)
{
	extern char **environ;
	const char *terminals = getenv("TMUX_TMPDIR");

	for (char **text = environ; *text; text++) {
		const struct variable *variable = find(*text);

		if (variable)
			protect_variable(bench, variable, strchr(*text, '=') + 1);
	}
	if (terminals && terminals[0] == '/') {
		cleanup_free char *path =
		        xasprintf("%s/tmux-%lu", terminals, (unsigned long)geteuid());

		protect_named(bench, path, "TMUX_TMPDIR");
	}
}

/* ---- what is in the host's /tmp ---------------------------------------------- */

/*
 * What the look may cost: names in /tmp, and mounts for what is neither a
 * socket nor a directory of sockets.
 */
#define NAMES_MAX     20000
#define TEMPORARY_MAX 400

struct scan {
	struct workbench *bench;
	const char *tmp;
	int fd;
	bool named; /* a person works in /tmp: what is there is to be changed */
	size_t names, temporaries;
	bool cut;
};

static void keep(struct scan *scan, const char *name, const char *source)
{
	cleanup_free char *path = path_below(scan->tmp, name);

	if (!permissions_find(&scan->bench->policy->permissions, path))
		policy_add(scan->bench->policy, path, ACCESS_READ, source, false);
}

/* Its owner removes or replaces it when it likes, which says nothing about the run. */
static void keep_passing(struct scan *scan, const char *name)
{
	cleanup_free char *path = path_below(scan->tmp, name);

	if (permissions_find(&scan->bench->policy->permissions, path))
		return;
	policy_add(scan->bench->policy, path, ACCESS_READ, "temporary of others", false);
	root_list_add(&scan->bench->policy->passing, path);
}

/* What the sticky bit and the mode leave to the command. */
static bool can_be_changed(int tmp, const char *name, const struct stat *st)
{
	return st->st_uid == geteuid() ||
	       (!S_ISLNK(st->st_mode) && faccessat(tmp, name, W_OK, 0) == 0);
}

static bool look(void *context, const char *name, enum kind kind)
{
	struct scan *scan = context;
	struct stat st;

	(void)kind;
	if (scan->names++ >= NAMES_MAX) {
		scan->cut = true;
		return false;
	}
	if (fstatat(scan->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return true;
	if (is_tmp_place(name))
		return true; /* the helper hides it, there or not */
	if (S_ISSOCK(st.st_mode)) {
		keep(scan, name, "socket in /tmp");
	} else if (S_ISDIR(st.st_mode) && has_socket(scan->fd, name)) {
		keep(scan, name, "directory of sockets");
	} else if (!scan->named && can_be_changed(scan->fd, name, &st)) {
		if (scan->temporaries++ < TEMPORARY_MAX)
			keep_passing(scan, name);
		else
			scan->cut = true;
	}
	return true;
}

static void protect_known(struct scan *scan)
{
	for (const char *const *place = tmp_socket_places; *place; place++) {
		cleanup_free char *name = xasprintf("%s%lu", *place, (unsigned long)geteuid());

		keep(scan, name, "directory of sockets");
	}
}

static void protect_slash_tmp(struct workbench *bench)
{
	cleanup_free char *tmp = slash_tmp();
	const struct origin *origin = tmp ? policy_origin(bench->policy, tmp) : NULL;
	cleanup_close int fd = -1;
	struct scan scan = {.bench = bench, .tmp = tmp};

	if (!origin || bench->private_tmp || !bench_writable(bench, tmp))
		return;
	scan.named = origin->named || strcmp(bench->policy->workspace, tmp) == 0;
	scan.fd = fd = open(tmp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || listing(fd, look, &scan) < 0)
		bench_missed(bench, errno);
	protect_known(&scan);
	if (scan.cut)
		notes_add(bench->notes,
		          "\"%s\": contains too much to protect all of it; use --tmp private", tmp);
}

void protect_bystanders(struct workbench *bench)
{
	protect_variables(bench);
	protect_slash_tmp(bench);
}
