/*
 * Fuzzing what the gateway reads: a query of the command, an answer of a name
 * server, the first message of a TLS client.  The first byte says which.
 *
 * What must hold: nothing crashes or reads too far; a name that comes out is a
 * host's; a reply stays in its bounds and is a query's when it is read again; no
 * more is decided about a prefix than about the whole.
 */
#include "names/dns_message.c"
#include "hosts/hello_again.h"
#include "hosts/server_name.h"

#include "must.h"

static void read_query(const uint8_t *data, size_t size)
{
	uint8_t out[DNS_REPLY_MAX], again[DNS_REPLY_MAX];
	char name[HOST_NAME_MAX_LENGTH + 1];
	struct dns_query query, second;
	struct dns_reply reply;
	struct host_address address = {.bytes = {1}};

	if (!dns_query_read(data, size, &query))
		return;
	must(query.end <= size && query.end <= DNS_REPLY_MAX);
	dns_reply_begin(&reply, out, data, &query, DNS_FINE);
	for (int i = 0; i < 40; i++)
		dns_reply_address(&reply, &address, 60);
	must(reply.len <= DNS_REPLY_MAX);
	if (query.type == DNS_PTR) {
		dns_reverse_read(query.name, &address);
		return;
	}
	must(!query.name[0] || host_name_normal(query.name, strlen(query.name), name) == NULL);
	if (query.name[0]) {
		size_t len = dns_query_write(again, 1, query.name, query.type);

		must(dns_query_read(again, len, &second) && strcmp(second.name, query.name) == 0);
	}
}

static void read_answer(const uint8_t *data, size_t size)
{
	uint8_t query[DNS_REPLY_MAX];
	struct dns_answer answer;

	for (unsigned type = DNS_A; type <= DNS_AAAA; type += DNS_AAAA - DNS_A) {
		size_t len = dns_query_write(query, 0x4142, "a.example", (uint16_t)type);

		if (dns_answer_read(data, size, query, len, &answer))
			must(answer.count <= DNS_ADDRESSES);
	}
}

static void read_hello(const uint8_t *data, size_t size)
{
	char name[HOST_NAME_MAX_LENGTH + 1], other[HOST_NAME_MAX_LENGTH + 1];
	size_t end, part_end;
	enum server_name whole = server_name_read(data, size, name, &end);
	enum server_name part = server_name_read(data, size / 2, other, &part_end);

	must(part == SERVER_UNDECIDED || part == whole);
	must(whole != SERVER_NAMED || name[0]);
	must(end <= size && part_end <= end);
	must(server_name_read_again(data, size, name, &end) != SERVER_NOT_TLS && end <= size);
	part = server_name_read_again(data, size / 2, other, &part_end);
	must(part == SERVER_UNDECIDED || part == server_name_read_again(data, size, name, &end));
	must(hello_again_wanted(data, size / 2) == AGAIN_UNDECIDED ||
	     hello_again_wanted(data, size / 2) == hello_again_wanted(data, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] == 'q')
		read_query(data + 1, size - 1);
	else if (data[0] == 'a')
		read_answer(data + 1, size - 1);
	else
		read_hello(data + 1, size - 1);
	return 0;
}
