/*
 * SHA-256 against known answers, whole and in pieces of every size.
 */
#include "base/sha256.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *what, *text, *digest;
} answers[] = {
        {"nothing", "", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "abc", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"56 bytes: the length needs a block of its own",
         "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"112 bytes",
         "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
         "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         "sha256:cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};

int main(void)
{
	static char million[1000000];
	char got[SHA256_TEXT_SIZE], whole[SHA256_TEXT_SIZE];
	bool same = true;

	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		sha256_text(answers[i].text, strlen(answers[i].text), got);
		check(strcmp(got, answers[i].digest) == 0, answers[i].what, got);
	}
	memset(million, 'a', sizeof(million));
	sha256_text(million, sizeof(million), got);
	check(strcmp(got, "sha256:"
	                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") == 0,
	      "a million letters", got);
	sha256_text(million, 1000, whole);
	for (size_t size = 1; size <= 130; size++) {
		struct sha256 sha;

		sha256_begin(&sha);
		for (size_t at = 0; at < 1000; at += size)
			sha256_add(&sha, million, at + size > 1000 ? 1000 - at : size);
		sha256_end(&sha, got);
		same &= strcmp(got, whole) == 0;
	}
	check(same, "in pieces of 1 to 130 bytes", got);
	return finish();
}
