#include "network/socket_address.h"

#include "hosts/own_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

bool address_text(const struct sockaddr_storage *address, char *text, size_t size)
{
	const struct sockaddr_in *four = (const void *)address;
	const struct sockaddr_in6 *six = (const void *)address;
	char host[INET6_ADDRSTRLEN];

	if (address->ss_family == AF_INET) {
		inet_ntop(AF_INET, &four->sin_addr, host, sizeof(host));
		snprintf(text, size, "%s:%u", host, ntohs(four->sin_port));
		return true;
	}
	if (address->ss_family != AF_INET6)
		return false;
	inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof(host));
	snprintf(text, size, "[%s]:%u", host, ntohs(six->sin6_port));
	return true;
}

bool address_is_loopback(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *four = (const void *)address;
	const struct sockaddr_in6 *six = (const void *)address;
	uint32_t host = ntohl(four->sin_addr.s_addr);

	if (address->ss_family == AF_INET)
		return host >> 24 == 127 || host == 0;
	if (address->ss_family != AF_INET6)
		return false;
	host = ntohl(six->sin6_addr.s6_addr32[3]);
	if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr))
		return host >> 24 == 127 || host == 0;
	return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr) || IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr);
}

unsigned address_port(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *four = (const void *)address;

	return ntohs(four->sin_port); /* at the same place in both */
}

bool is_this_machine(const struct sockaddr_storage *address, socklen_t len)
{
	return address_is_loopback(address) || is_own_address(address, len);
}
