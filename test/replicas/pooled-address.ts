import type { Daemon } from './daemons.ts'

/** The address of a database as it is reached through pgbouncer. */
export function throughPgbouncer(address: string, { port }: Pick<Daemon, 'port'>): string {
  const url = new URL(address)
  url.host = `127.0.0.1:${port}`
  return url.href
}
