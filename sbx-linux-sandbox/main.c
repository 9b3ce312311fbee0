/*
 * sbx-linux-sandbox: programs in one file, told apart by arg0.
 *
 *   sbx-linux-sandbox  the outer stage: plans the mounts, starts bubblewrap,
 *                      supervises, cleans up
 *   sbx-bwrap          the vendored bubblewrap itself
 *   sbx-linux-inner    the inner stage: inside the mounts, locks the door and
 *                      executes the command
 *   codex-linux-sandbox  what codex calls its own helper: becomes sbx-run
 */
#include "apply/kept_previews.h"
#include "base/memory.h"
#include "caches/kept_caches.h"
#include "codex/codex.h"
#include "document/stage.h"
#include "inner/inner.h"
#include "outer/outer.h"

#include <string.h>

int bwrap_main(int argc, char **argv);

int main(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *name = slash ? slash + 1 : argc > 0 ? argv[0] : "";

	exit_without_memory = 125;
	if (strcmp(name, "sbx-bwrap") == 0)
		return bwrap_main(argc, argv);
	/* A bubblewrap without --argv0 cannot give us the name; the word does. */
	if (strcmp(name, "sbx-linux-inner") == 0 || (argc == 4 && strcmp(argv[1], "--inner") == 0))
		return inner_main(argc, argv);
	if (strcmp(name, "codex-linux-sandbox") == 0) {
		program_begin("codex-linux-sandbox");
		return codex_main(argc, argv);
	}
	program_begin("sbx-linux-sandbox");
	if (argc > 1 && strcmp(argv[1], "--kept-caches") == 0)
		return kept_caches_main(argv + 2);
	if (argc > 1 && strcmp(argv[1], "--kept-previews") == 0)
		return kept_previews_main(argv + 2);
	return outer_main(argc, argv);
}
