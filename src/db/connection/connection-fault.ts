/** A connection that the settings do not allow. The message names the variable, the reason and the remedy, never the value. */
export class ConnectionFault extends Error {}

/** Codes of Node.js and SQLSTATEs of PostgreSQL (appendix A) that a setting causes, with the remedy. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start PostgreSQL there, or correct the host and the port',
  ENOTFOUND: 'Correct the host',
  EAI_AGAIN: 'Correct the host, or check the name server',
  EHOSTUNREACH: 'Correct the host, or check the network',
  ENETUNREACH: 'Correct the host, or check the network',
  ETIMEDOUT: 'Check the host, the port and the firewall',
  '08001': 'Check that one of its servers is running and takes writes',
  '28000': 'Correct the user, or let it connect in pg_hba.conf',
  '28P01': 'Correct the user and the password; percent-encode characters such as @, / and # in the password',
  '3D000': 'Create the database (docs/operations.md, PostgreSQL), or correct its name',
  '42501':
    'MIGRATION_DATABASE_URL needs the role that owns the database, DATABASE_URL the role of the service (docs/operations.md, PostgreSQL)',
  '53300': 'Raise max_connections of PostgreSQL, or run fewer processes',
}

const TIMED_OUT = /timeout/i
const NO_TLS = /does not support SSL|certificate|self-signed/i

/** Runs the first work on a connection. Throws a `ConnectionFault` that names `variable` if the setting is the cause. */
export async function blaming<Result>(variable: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const remedy = remedyFor(error)
    if (remedy === undefined) throw error
    throw new ConnectionFault(`${variable}: ${reasonOf(error)}. ${remedy}.`, { cause: error })
  }
}

function remedyFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = causesOf(error).find((code) => code in REMEDIES)
  if (code !== undefined) return REMEDIES[code]
  if (TIMED_OUT.test(error.message)) return REMEDIES.ETIMEDOUT
  return NO_TLS.test(error.message) ? 'Check sslmode, and the certificate of the server' : undefined
}

function causesOf(error: Error & { readonly code?: unknown; readonly errors?: unknown }): readonly string[] {
  const parts = Array.isArray(error.errors) ? error.errors : []
  return [error, ...parts].flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
}

function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message.replace(/\.$/, '') : String(first)
}
