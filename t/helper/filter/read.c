/* How is the text of a filter read, word by word? */
#include "filter.h"

#include <string.h>

const char *at;

void blanks(void)
{
	at += strspn(at, " \t\n");
}

bool next_is(const char *token)
{
	blanks();
	return !strncmp(at, token, strlen(token));
}

bool take(const char *token)
{
	if (!next_is(token))
		return false;
	at += strlen(token);
	return true;
}

/* An operator that is not the beginning of a longer one. */
bool take_operator(const char *token, const char *longer)
{
	if (!next_is(token) || (longer && next_is(longer)))
		return false;
	return take(token);
}

void must(const char *token)
{
	if (!take(token))
		ask_jq();
}

size_t name_length(void)
{
	size_t length =
	        strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return *at >= '0' && *at <= '9' ? 0 : length;
}

char *take_name(void)
{
	size_t length = name_length();
	char *name = strndup(at, length);

	if (length == 0 || !name)
		ask_jq();
	at += length;
	return name;
}

bool take_word(const char *word)
{
	blanks();
	if (name_length() != strlen(word) || strncmp(at, word, strlen(word)) != 0)
		return false;
	at += strlen(word);
	return true;
}
