import { sql } from 'kysely'
import { unavailable } from '../contract/problem.ts'
import type { Database } from '../db/schema/tables.ts'
import { STOPPING } from './load/shed-requests.ts'
import type { App, Service } from './service.ts'

/** Milliseconds to wait for the database: less than its own timeouts, and than the two seconds of a load balancer's probe. */
const PATIENCE_MS = 1_500

export function healthRoutes(app: App, { db, isStopping }: Service): void {
  app.get('/healthz', { schema: { hide: true }, logLevel: 'warn' }, async () => ({ status: 'alive' }))
  app.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async () => {
    if (isStopping()) throw STOPPING
    if (!(await soon(takesWrites(db)))) throw unavailable()
    return { status: 'ready' }
  })
}

/** Whether the database accepts writes. The statement locks no row, but fails on a read-only connection, which is then closed. */
async function takesWrites(db: Database): Promise<boolean> {
  await sql`select from used_challenges where false for key share`.execute(db)
  return true
}

async function soon(answer: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), PATIENCE_MS)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
