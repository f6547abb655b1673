import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** Returns the client's network, by the address that the proxy forwards if valid, or else that of the connection. */
export function clientNetwork({ ip, socket }: FastifyRequest): string {
  if (isIP(ip)) return networkOf(ip)
  return socket.remoteAddress ? networkOf(socket.remoteAddress) : 'unknown'
}

/**
 * Returns an IPv4 address as it is, and the /64 of an IPv6 address, because a host can choose any address within it. Mapped IPv4
 * counts as IPv4; zones are dropped. Expects a valid address.
 */
export function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
