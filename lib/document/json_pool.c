#include "document/json_pool.h"

#include "base/memory.h"
#include "document/json_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define STEP    16
#define CLASSES 33 /* up to 512 bytes; larger blocks are malloc()'s */
#define CHUNK   65536

/* Before every block; keeps what follows aligned. */
union header {
	size_t class;
	union header *next; /* while it is free */
	max_align_t align;
};

/* A sanitizer sees only what malloc() gave. */
#ifdef __SANITIZE_ADDRESS__
#define CLOSED true
#else
#define CLOSED false
#endif

/* Of the program's own memory: most programs need no other. */
static union header first[CHUNK / sizeof(union header)];

/* jansson's hooks take no context, so this cannot live anywhere else. */
static struct {
	union header *unused[CLASSES];
	char *chunk;
	size_t left;
	bool closed; /* nothing comes from here any more, nor back to it */
} pool = {.chunk = (char *)first, .left = CHUNK, .closed = CLOSED};

static void *pool_malloc(size_t size)
{
	size_t class = (size + STEP - 1) / STEP;
	size_t bytes = sizeof(union header) + class * STEP;
	union header *block;

	if (class >= CLASSES || pool.closed) {
		if (size > SIZE_MAX / 2)
			return NULL;
		block = xmalloc(sizeof(union header) + size);
		block->class = CLASSES;
		return block + 1;
	}
	block = pool.unused[class];
	if (block) {
		pool.unused[class] = block->next;
	} else {
		if (pool.left < bytes) {
			pool.chunk = xmalloc(CHUNK);
			pool.left = CHUNK;
		}
		block = (union header *)(void *)pool.chunk;
		pool.chunk += bytes;
		pool.left -= bytes;
	}
	block->class = class;
	return block + 1;
}

static void pool_free(void *memory)
{
	union header *block = memory;
	size_t class;

	if (!memory)
		return;
	block--;
	class = block->class;
	if (class >= CLASSES) {
		free(block);
		return;
	}
	if (pool.closed)
		return;
	block->next = pool.unused[class];
	pool.unused[class] = block;
}

void json_pool_use(void)
{
	json_set_alloc_funcs(pool_malloc, pool_free);
}

void json_pool_close(void)
{
	pool.closed = true;
}

char *json_text_dump(const json_t *value, size_t flags)
{
	struct json_buffer buffer = {0};
	json_free_t release;
	char *text, *copy;

	if (flags == JSON_COMPACT && (json_is_object(value) || json_is_array(value)) &&
	    json_text_write(value, &buffer) == 0) {
		json_text_add(&buffer, "", 1);
		return buffer.text;
	}
	free(buffer.text);
	text = json_dumps(value, flags);
	copy = text ? xstrdup(text) : NULL;
	json_get_alloc_funcs(NULL, &release);
	if (text)
		release(text);
	return copy;
}
