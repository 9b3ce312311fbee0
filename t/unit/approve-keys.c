/*
 * Which of the bytes that come from a terminal are keys?  What the terminal
 * itself says is none, wherever it was cut.
 */
#include "terminal/terminal_keys.c"
#include "tap.h"

static const struct {
	const char *bytes, *keys;
} cases[] = {
        {"y", "y"},
        {"yn", "yn"},
        {"\033[?7;1$y", ""},         /* a mode */
        {"\033[?7;1$yn", "n"},       /* and a key behind it */
        {"\033[M yy", ""},           /* a click, the old way */
        {"\033[<0;89;3Mn", "n"},     /* and the new */
        {"\033[[An", "n"},           /* a function key of the console */
        {"\033Oyn", "n"},            /* of the keypad */
        {"\033yn", "n"},             /* with Alt */
        {"\033]lyyy\033\\n", "n"},   /* a title */
        {"\033]lyyy\007n", "n"},     /* the same */
        {"\033P1$ry\033\\n", "n"},   /* a setting */
        {"\233?7;1$yn", "n"},        /* in eight bits */
        {"\302\2331yn", "n"},        /* as UTF-8 */
        {"\235lyyy\234n", "n"},      /* a title in eight bits */
        {"\033[1\033[?7;1$yn", "n"}, /* one in another */
        {"\303\251n", "n"},          /* a letter that is none of ours */
        {"\033]lyy\003", "\003"},    /* giving up */
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct keys keys = {0};
		char found[32] = "";
		size_t used = 0;
		char what[64];

		for (const char *s = cases[i].bytes; *s; s++)
			if (typed_key(&keys, (unsigned char)*s))
				found[used++] = *s;
		snprintf(what, sizeof(what), "bytes %zu: %zu of them are keys", i + 1,
		         strlen(cases[i].keys));
		check(strcmp(found, cases[i].keys) == 0, what, found);
	}
	return finish();
}
