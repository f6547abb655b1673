import { sql } from 'kysely'
import { unavailable } from '../contract/problem.ts'
import type { Database } from '../db/schema/tables.ts'
import type { App, Service } from './service.ts'

/** Below the two seconds that a load balancer waits for a probe, and below every wait for the database. */
const PATIENCE_MS = 1_500

/** `/healthz`: the process is alive, whatever the database does. `/readyz`: it can do its work now. */
export function healthRoutes(app: App, { db, isStopping }: Service): void {
  app.get('/healthz', { schema: { hide: true }, logLevel: 'warn' }, async () => ({ status: 'alive' }))
  app.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async () => {
    if (isStopping() || !(await soon(takesWrites(db)))) throw unavailable()
    return { status: 'ready' }
  })
}

/**
 * Whether the database can be written to. The lock takes no row: on a standby, or a connection that is read-only, it is refused
 * like a write, which closes that connection (`closeWhenReadOnly`).
 */
async function takesWrites(db: Database): Promise<boolean> {
  await sql`select from used_challenges where false for key share`.execute(db)
  return true
}

/** The answer, or that there is none yet. */
async function soon(answer: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), PATIENCE_MS)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
