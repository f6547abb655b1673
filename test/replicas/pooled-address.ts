import type { Daemon } from './daemons.ts'

/** Returns the address of a database through pgbouncer. */
export function throughPgbouncer(address: string, { port }: Pick<Daemon, 'port'>): string {
  const url = new URL(address)
  url.host = `127.0.0.1:${port}`
  return url.href
}
