#include "command/dangerous.h"

#include "base/strings.h"
#include "command/literal_words.h"

#include <string.h>

/* Scripts within scripts, and words looked at: beyond these nobody can tell. */
#define DEPTH_MAX 8
#define STEPS_MAX 5000000

struct scan {
	found_command *found;
	void *context;
	int depth;
	size_t steps;
	const char *danger; /* the first */
	bool stop;
};

static void note(struct scan *s, const char *why)
{
	if (!s->danger)
		s->danger = why;
	/* Whoever wants to see every command is not done yet. */
	s->stop |= !s->found;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A single-dash word with one of the letters, or a long option by its beginning. */
static bool has_option(struct scan *s, char *const *words, const char *letters, const char *name)
{
	for (; *words && strcmp(*words, "--") != 0; words++) {
		const char *word = *words;

		s->steps++;
		if (word[0] != '-' || word[1] == '\0')
			continue;
		if (word[1] != '-' && word[strcspn(word, letters)])
			return true;
		/* By its beginning, and up to a value. */
		if (word[1] == '-' && strcspn(word + 2, "=") > 1 && *name &&
		    strncmp(name, word + 2, strcspn(word + 2, "=")) == 0)
			return true;
	}
	return false;
}

static bool removes(struct scan *s, char *const *words)
{
	return has_option(s, words, "frR", "force") || has_option(s, words, "", "recursive");
}

static bool always(struct scan *s, char *const *words)
{
	(void)s;
	return words[0] != NULL;
}

static bool alone(struct scan *s, char *const *words)
{
	(void)s;
	(void)words;
	return true;
}

static bool to_device(struct scan *s, char *const *words)
{
	for (; *words; words++, s->steps++)
		if (strncmp(*words, "of=/dev/", 8) == 0 && strcmp(*words, "of=/dev/null") != 0)
			return true;
	return false;
}

/* What a subcommand of git is dangerous with. */
static const struct git_danger {
	const char *name;
	const char *letters; /* of a word with one dash; "*": always, whatever follows */
	const char *option;  /* a long one, or its beginning; or NULL */
	const char *word;    /* an operand that is dangerous; or NULL */
} git_dangers[] = {
        {"reset", "*", NULL, NULL},              /* the index, or the work tree */
        {"rm", "*", NULL, NULL},                 /* files */
        {"clean", "f", "force", NULL},           /* files that were never added */
        {"push", "fd", "force", NULL},           /* what others have; -d deletes */
        {"push", "", "force-with-lease", NULL},  /* the same, with a look before */
        {"push", "", "delete", NULL},            /* a branch over there */
        {"push", "", "mirror", NULL},            /* everything that is not here */
        {"push", "", "prune", NULL},             /* branches that are not here */
        {"checkout", "f", "force", "--"},        /* changes that were not committed */
        {"checkout", "", NULL, "."},             /* the same */
        {"restore", "*", NULL, NULL},            /* the same */
        {"switch", "f", "force", NULL},          /* the same */
        {"switch", "", "discard-changes", NULL}, /* the same */
        {"branch", "D", NULL, NULL},             /* commits that are nowhere else */
        {"branch", "", "delete", NULL},          /* with --force the same */
        {"tag", "d", "delete", NULL},            /* a name for them */
        {"stash", "", NULL, "drop"},             /* changes put aside */
        {"stash", "", NULL, "clear"},            /* all of them */
        {"reflog", "", NULL, "expire"},          /* the way back */
        {"reflog", "", NULL, "delete"},          /* the same */
        {"gc", "", "prune", NULL},               /* what only the reflog has */
        {"prune", "*", NULL, NULL},              /* the same */
        {"filter-branch", "*", NULL, NULL},      /* history */
        {"filter-repo", "*", NULL, NULL},        /* history */
        {"update-ref", "d", "delete", NULL},     /* a branch, without a question */
        {"worktree", "f", "force", NULL},        /* a work tree with changes in it */
        {"submodule", "f", "force", NULL},       /* changes in a submodule */
};

/* A word that is an operand, of which push has two kinds that destroy. */
static bool has_operand(struct scan *s, char *const *words, const char *word)
{
	for (; *words; words++, s->steps++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

/* "+main" forces, ":main" deletes; the first operand is the remote. */
static bool pushes_over(struct scan *s, char *const *words)
{
	for (; *words; words++, s->steps++)
		if ((*words)[0] == '+' || ((*words)[0] == ':' && (*words)[1]))
			return true;
	return false;
}

static bool git_subcommand(struct scan *s, const char *name, char *const *words)
{
	for (size_t i = 0; i < sizeof(git_dangers) / sizeof(git_dangers[0]); i++) {
		const struct git_danger *d = &git_dangers[i];

		if (strcmp(name, d->name) != 0)
			continue;
		if (strcmp(d->letters, "*") == 0 ||
		    has_option(s, words, d->letters, d->option ? d->option : "") ||
		    (d->word && has_operand(s, words, d->word)))
			return true;
	}
	return strcmp(name, "push") == 0 && pushes_over(s, words);
}

/*
 * The subcommand is the first word that is no global option or its value.  Which
 * options have a value in the next word differs between versions, so that a
 * word behind an option is looked at as both.
 */
static bool git(struct scan *s, char *const *words)
{
	for (bool after_option = true; *words && after_option; words++) {
		after_option = (*words)[0] == '-' || (words[-1][0] == '-' && words[-1][1]);
		if ((*words)[0] != '-' && git_subcommand(s, *words, words + 1))
			return true;
	}
	return false;
}

static bool deletes(struct scan *s, char *const *words)
{
	return has_operand(s, words, "-delete");
}

static const struct {
	const char *name;
	bool prefix; /* mkfs.ext4 */
	bool (*is)(struct scan *s, char *const *words);
	const char *danger;
} table[] = {
        {"rm", false, removes, "rm removes files for good"},
        {"find", false, deletes, "find -delete removes files for good"},
        {"truncate", false, always, "truncate cuts files off"},
        {"git", false, git, "git throws away work that was not pushed"},
        {"shred", false, always, "shred overwrites files"},
        {"dd", false, to_device, "dd writes to a device"},
        {"mkfs", true, always, "mkfs erases a file system"},
        {"mkswap", false, always, "mkswap erases a device"},
        {"wipefs", false, always, "wipefs erases a file system"},
        {"blkdiscard", false, always, "blkdiscard erases a device"},
        {"fdisk", false, always, "fdisk changes partitions"},
        {"sfdisk", false, always, "sfdisk changes partitions"},
        {"parted", false, always, "parted changes partitions"},
        {"shutdown", false, alone, "shutdown stops the machine"},
        {"reboot", false, alone, "reboot stops the machine"},
        {"poweroff", false, alone, "poweroff stops the machine"},
        {"halt", false, alone, "halt stops the machine"},
};

/* Programs that run their arguments, or the words they read, as a command. */
static const char *const launchers[] = {
        "sudo",      "doas",    "env",    "xargs",   "nice",        "nohup",   "timeout",
        "time",      "stdbuf",  "setsid", "ionice",  "chroot",      "unshare", "nsenter",
        "command",   "builtin", "exec",   "find",    "fd",          "busybox", "toybox",
        "strace",    "ltrace",  "watch",  "su",      "runuser",     "script",  "parallel",
        "flock",     "taskset", "chrt",   "setpriv", "systemd-run", "ssh",     "noglob",
        "nocorrect", "trap",    "eval",   "then",    "do",          NULL,
};

/* Programs that read some of their arguments as a script. */
static const char *const shells[] = {
        "sh",  "bash",  "zsh", "dash",   "ksh",      "ash",     "fish",  "su",   "trap", "eval",
        "env", "watch", "ssh", "script", "parallel", "runuser", "flock", "mksh", NULL};

static void scan_words(struct scan *s, char *const *argv, bool everywhere);

static void scan_text(struct scan *s, const char *text)
{
	struct loose loose = {0};

	if (++s->depth > DEPTH_MAX) {
		note(s, "it is nested too deeply to be judged");
	} else {
		loose_read(&loose, text);
		for (size_t i = 0; i < loose.count && !s->stop; i++)
			scan_words(s, loose.runs[i], true);
		loose_free(&loose);
	}
	s->depth--;
}

static void scan_simple(struct scan *s, char *const *argv)
{
	const char *name = base_name(argv[0]);

	if (s->found)
		s->found(argv, s->context);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t len = strlen(table[i].name);

		if (strncmp(name, table[i].name, len) != 0 ||
		    (name[len] != '\0' && !(table[i].prefix && name[len] == '.')))
			continue;
		if (table[i].is(s, argv + 1))
			note(s, table[i].danger);
	}
	/* Any argument with a blank may be a script, whatever option is before it. */
	if (word_among(name, shells))
		for (char *const *word = argv + 1; *word && !s->stop; word++)
			if (strpbrk(*word, " \t\n;|&"))
				scan_text(s, *word);
}

/* everywhere: any word may begin a command, as after "if" or "X=1". */
static void scan_words(struct scan *s, char *const *argv, bool everywhere)
{
	everywhere |= word_among(base_name(argv[0]), launchers);
	for (; *argv && !s->stop; argv++) {
		scan_simple(s, argv);
		if (!everywhere)
			break;
		if (++s->steps > STEPS_MAX) {
			note(s, "it is too long to be judged");
			s->stop = true;
		}
	}
}

const char *danger(char *const *argv, found_command *found, void *context)
{
	struct scan s = {.found = found, .context = context};

	scan_words(&s, argv, false);
	return s.danger;
}
