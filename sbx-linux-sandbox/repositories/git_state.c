#include "repositories/git_state.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* ---- what a rebase has left to do ------------------------------------------- */

static bool is_exec(const char *line, size_t len)
{
	static const char *const words[] = {"exec", "x"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if (len >= n && strncmp(line, words[i], n) == 0 &&
		    (len == n || strchr(" \t\r", line[n])))
			return true;
	}
	return false;
}

/* A rebase of the user's own may be going on, with lines of theirs. */
static bool has_line(const struct git_text *text, const char *line, size_t len)
{
	for (const char *at = text ? text->bytes : NULL; at && *at; at += strcspn(at, "\n")) {
		at += strspn(at, " \t\n");
		if (strncmp(at, line, len) == 0 && (at[len] == '\n' || at[len] == '\0'))
			return true;
	}
	return false;
}

static bool runs_lines(const struct git_text *text, const struct git_text *before, size_t hash)
{
	(void)hash;
	for (const char *at = text->bytes; *at; at += strcspn(at, "\n")) {
		size_t len;

		at += strspn(at, " \t\n");
		len = strcspn(at, "\n");
		if (is_exec(at, len) && !has_line(before, at, len))
			return true;
	}
	return false;
}

/* ---- what a shell reads ------------------------------------------------------- */

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("_=-./@:+, \t\n", c);
}

/* Words as git quotes them mean themselves; older versions have a shell evaluate them. */
static bool is_evaluated(const struct git_text *text, const struct git_text *before, size_t hash)
{
	(void)before;
	(void)hash;
	for (const char *at = text->bytes; *at; at++) {
		if (*at == '\'') {
			at = strchr(at + 1, '\'');
			if (!at)
				return true;
		} else if (*at == '\\' && at[1]) {
			at++;
		} else if (!is_plain(*at)) {
			return true;
		}
	}
	return false;
}

/* "git merge-X": with a slash in X that is a path, and not a word of git's. */
static bool names_program(const struct git_text *text, const struct git_text *before, size_t hash)
{
	static const char harmless[] = "strategy-option";

	(void)before;
	(void)hash;
	for (const char *at = text->bytes; *at; at += strcspn(at, "\n")) {
		at += strspn(at, " \t\n");
		if (strncasecmp(at, harmless, strlen(harmless)) != 0 &&
		    memchr(at, '/', strcspn(at, "\n")))
			return true;
	}
	return false;
}

/* The options that git am hands on to git apply; another one has it write a file anywhere. */
static bool is_patch_option(const char *word)
{
	static const char *const known[] = {"-C",           "-p",         "--whitespace=",
	                                    "--include=",   "--exclude=", "--ignore-space-change",
	                                    "--directory=", "--reject",   "--ignore-whitespace"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strncmp(word, known[i], strlen(known[i])) == 0)
			return true;
	return false;
}

/* Each word is in quotes of its own; git reads no further where one is not. */
static bool holds_other_option(const struct git_text *text, const struct git_text *before,
                               size_t hash)
{
	static const char blanks[] = " \t\r\n\v\f";
	const char *at = text->bytes + strspn(text->bytes, blanks);

	(void)before;
	(void)hash;
	while (*at) {
		if (*at != '\'' || !is_patch_option(at + 1))
			return true;
		do
			at = strchr(at + 1, '\'');
		while (at && at[1] && !strchr(blanks, at[1]));
		if (!at)
			return true;
		at += 1 + strspn(at + 1, blanks);
	}
	return false;
}

/* ---- paths that git writes to --------------------------------------------------- */

/* git checks a path when it puts it in, and believes what it reads. */
static bool is_path_of_git(const char *path)
{
	for (const char *at = path;; at++) {
		size_t len = strcspn(at, "/");

		/*
		 * Behind a slash at the end: a directory as a whole.  No name at all: a
		 * split index has it for what the other half names.
		 */
		if (len == 0)
			return at[0] == '\0';
		if ((len <= 2 && strncmp(at, "..", len) == 0) ||
		    (len == 4 && strncasecmp(at, ".git", 4) == 0))
			return false;
		at += len;
		if (*at == '\0')
			return true;
	}
}

struct index {
	const unsigned char *at, *end;
	uint32_t version;
	size_t hash;
	char *name; /* of the entry before; large enough for all */
	size_t len;
	bool forged; /* an entry says another length than it has */
	/* Where several threads begin to read, with how many entries; NULL: there is no table. */
	const unsigned char *blocks, *extensions;
	size_t blocks_left;
	uint32_t block_left; /* entries of the block that is read */
	bool first;          /* of a block: nothing of the name before belongs to it */
};

static uint32_t number(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* How much of the name before goes, in git's own coding. */
static bool take_strip(struct index *index, size_t *strip)
{
	size_t value = 0;
	unsigned char byte;

	do {
		if (index->at == index->end || value > index->len)
			return false;
		byte = *index->at++;
		value = (value << 7) + (byte & 127);
		value += byte & 128 ? 1 : 0;
	} while (byte & 128);
	*strip = value;
	return value <= index->len;
}

/* False: the file ends in the middle, and git reads no further either. */
static bool take_entry(struct index *index)
{
	const unsigned char *start = index->at;
	size_t left = (size_t)(index->end - start), fixed = 40 + index->hash + 2;
	size_t len, strip = 0;
	unsigned flags;

	if (left < fixed + 2)
		return false;
	flags = (unsigned)start[fixed - 2] << 8 | start[fixed - 1];
	fixed += flags & 0x4000 ? 2 : 0;
	index->at += fixed;
	if (index->version == 4) {
		if (!take_strip(index, &strip))
			return false;
		index->len -= strip;
		index->forged |= index->first && index->len > 0;
	} else {
		index->len = 0;
	}
	len = strnlen((const char *)index->at, (size_t)(index->end - index->at));
	if (index->at + len == index->end)
		return false;
	memcpy(index->name + index->len, index->at, len);
	index->len += len;
	index->name[index->len] = '\0';
	index->forged |= (flags & 0xfff) != (index->len < 0xfff ? index->len : 0xfff);
	if (index->version == 4)
		index->at += len + 1;
	else
		index->at = start + ((fixed + len + 8) & ~(size_t)7);
	return index->at <= index->end;
}

/*
 * With index.threads git reads the entries from where a table says, and finds
 * the table from the end of the file.  False: it says something impossible.
 */
static bool find_blocks(struct index *index, const unsigned char *bytes)
{
	size_t size = (size_t)(index->end - bytes), tail_size = 12 + 2 * index->hash;
	const unsigned char *tail = index->end - (size < tail_size ? 0 : tail_size), *at;

	if (size < tail_size || memcmp(tail, "EOIE", 4) != 0)
		return true;
	if (number(tail + 8) > size - tail_size)
		return false;
	at = index->extensions = bytes + number(tail + 8);
	for (uint32_t len; tail - at >= 8; at += 8 + len) {
		len = number(at + 4);
		if (len > (size_t)(tail - at) - 8)
			return false;
		if (memcmp(at, "IEOT", 4) != 0)
			continue;
		index->blocks = at + 12;
		index->blocks_left = len < 4 ? 0 : (len - 4) / 8;
		return true;
	}
	return true;
}

/* The next entry is where the table has it, and its name is whole. */
static bool take_placed(struct index *index, const unsigned char *bytes)
{
	size_t offset = (size_t)(index->at - bytes);
	bool first = index->blocks && index->block_left == 0;

	if (first) {
		if (index->blocks_left-- == 0 || number(index->blocks) != offset)
			return false;
		index->block_left = number(index->blocks + 4);
		index->blocks += 8;
	}
	index->first = first;
	if (!take_entry(index))
		return false;
	index->block_left -= index->blocks ? 1 : 0;
	return true;
}

static bool holds_foreign_path(const struct git_text *text, const struct git_text *before,
                               size_t hash)
{
	const unsigned char *bytes = (const void *)text->bytes;
	cleanup_free char *name = NULL;
	struct index index = {.at = bytes + 12, .end = bytes + text->size, .hash = hash};
	uint32_t count;

	(void)before;
	if (text->size < 12 || memcmp(bytes, "DIRC", 4) != 0)
		return false;
	if (!find_blocks(&index, bytes))
		return true;
	name = xmalloc(text->size + 1);
	index.name = name;
	index.version = number(bytes + 4);
	for (count = number(bytes + 8); count > 0 && take_placed(&index, bytes); count--)
		if (index.forged || !is_path_of_git(name))
			return true;
	/* Several threads do not stop where one would. */
	return index.extensions && (count > 0 || index.at != index.extensions ||
	                            index.blocks_left > 0 || index.block_left > 0);
}

/* "HASH<TAB>PATH<NUL>" for each file whose conflict git watches, and will resolve. */
static bool resolves_foreign_path(const struct git_text *text, const struct git_text *before,
                                  size_t hash)
{
	(void)before;
	(void)hash;
	for (size_t at = 0; at < text->size; at += strlen(text->bytes + at) + 1) {
		const char *tab = strchr(text->bytes + at, '\t');

		if (tab && !is_path_of_git(tab + 1))
			return true;
	}
	return false;
}

static const struct git_state states[] = {
        {"rebase-merge/git-rebase-todo", "git rebase --continue would run commands of it",
         runs_lines},
        {"sequencer/todo", "git cherry-pick --continue would run commands of it", runs_lines},
        {"rebase-merge/strategy", "git rebase --continue would run the program in it",
         names_program},
        {"sequencer/opts", "git cherry-pick --continue would run the program in it", names_program},
        {"rebase-merge/author-script", "a shell would read it", is_evaluated},
        {"rebase-apply/author-script", "a shell would read it", is_evaluated},
        {"rebase-apply/apply-opt", "git am --continue would write another file",
         holds_other_option},
        {"BISECT_NAMES", "a shell would read it", is_evaluated},
        {"index", "git checkout would write outside of the work tree", holds_foreign_path},
        {"MERGE_RR", "git merge would write outside of the work tree", resolves_foreign_path},
};

const struct git_state *git_state(size_t i)
{
	return i < sizeof(states) / sizeof(states[0]) ? &states[i] : NULL;
}
