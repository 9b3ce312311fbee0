#include "hosts/internet_address.h"

#include <netinet/in.h>
#include <string.h>

socklen_t socket_address_mapped(const struct host_address *address, unsigned port,
                                struct sockaddr_storage *out)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};

	memcpy(&six.sin6_addr, address->bytes, 16);
	memset(out, 0, sizeof(*out));
	memcpy(out, &six, sizeof(six));
	return sizeof(six);
}

socklen_t socket_address(const struct host_address *address, unsigned port,
                         struct sockaddr_storage *out)
{
	struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};

	if (!host_address_is_four(address))
		return socket_address_mapped(address, port, out);
	memcpy(&four.sin_addr, address->bytes + 12, 4);
	memset(out, 0, sizeof(*out));
	memcpy(out, &four, sizeof(four));
	return sizeof(four);
}

bool socket_address_read(const struct sockaddr_storage *from, socklen_t len,
                         struct host_address *address, unsigned *port)
{
	struct sockaddr_in four;
	struct sockaddr_in6 six;

	if (from->ss_family == AF_INET && len >= sizeof(four)) {
		memcpy(&four, from, sizeof(four));
		*address = (struct host_address){.bytes = {[10] = 0xff, [11] = 0xff}};
		memcpy(address->bytes + 12, &four.sin_addr, 4);
		*port = ntohs(four.sin_port);
		return true;
	}
	if (from->ss_family != AF_INET6 || len < sizeof(six) - sizeof(six.sin6_scope_id))
		return false;
	memcpy(&six, from, sizeof(six));
	memcpy(address->bytes, &six.sin6_addr, 16);
	*port = ntohs(six.sin6_port);
	return true;
}
