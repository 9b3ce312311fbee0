#include "jobs/kept.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void kept_begin(struct kept *kept, size_t limit)
{
	*kept = (struct kept){.half = limit / 2};
}

static void add_tail(struct kept *kept, const char *bytes, size_t len)
{
	if (len > kept->half) {
		bytes += len - kept->half;
		len = kept->half;
	}
	if (!kept->tail)
		kept->tail = xmalloc(kept->half);
	for (size_t n; len > 0; bytes += n, len -= n) {
		n = kept->half - kept->tail_next;
		n = n < len ? n : len;
		memcpy(kept->tail + kept->tail_next, bytes, n);
		kept->tail_next = (kept->tail_next + n) % kept->half;
		kept->tail_used += n;
	}
	if (kept->tail_used > kept->half)
		kept->tail_used = kept->half;
}

void kept_add(struct kept *kept, const char *bytes, size_t len)
{
	size_t room = kept->half - kept->head_used;
	size_t first = len < room ? len : room;

	if (first > 0) {
		kept->head = xrealloc_array(kept->head, kept->head_used + first, 1);
		memcpy(kept->head + kept->head_used, bytes, first);
		kept->head_used += first;
	}
	if (len > first)
		add_tail(kept, bytes + first, len - first);
	kept->total += len;
}

uint64_t kept_left_out(const struct kept *kept)
{
	return kept->total - kept->head_used - kept->tail_used;
}

/* The tail in its order, beginning with a whole character. */
static char *straight_tail(const struct kept *kept, size_t *len)
{
	size_t first = kept->tail_used < kept->half ? 0 : kept->tail_next;
	char *out = xmalloc(kept->tail_used + 1);
	size_t cut = 0;

	for (size_t i = 0; i < kept->tail_used; i++)
		out[i] = kept->tail[(first + i) % kept->half];
	while (kept_left_out(kept) > 0 && cut < kept->tail_used && cut < 3 &&
	       ((unsigned char)out[cut] & 0xc0) == 0x80)
		cut++;
	*len = kept->tail_used - cut;
	memmove(out, out + cut, *len);
	return out;
}

/* The length of the head up to the last character that is whole. */
static size_t whole_head(const struct kept *kept)
{
	size_t at = kept->head_used;

	if (kept_left_out(kept) == 0 || at == 0 || !(kept->head[at - 1] & 0x80))
		return at;
	for (int i = 0; i < 4 && at > 0; i++)
		if (((unsigned char)kept->head[--at] & 0xc0) != 0x80)
			return at;
	return kept->head_used;
}

char *kept_bytes(const struct kept *kept, size_t *len)
{
	uint64_t gone = kept_left_out(kept);
	cleanup_free char *mark =
	        gone ? xasprintf("\n[... %llu bytes left out ...]\n", (unsigned long long)gone)
	             : xstrdup("");
	size_t head = whole_head(kept), tail = 0;
	cleanup_free char *end = straight_tail(kept, &tail);
	char *out = xmalloc(head + strlen(mark) + tail + 1);

	if (head > 0)
		memcpy(out, kept->head, head);
	memcpy(out + head, mark, strlen(mark));
	memcpy(out + head + strlen(mark), end, tail);
	*len = head + strlen(mark) + tail;
	out[*len] = '\0';
	return out;
}

void kept_free(struct kept *kept)
{
	free(kept->head);
	free(kept->tail);
}
