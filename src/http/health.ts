import { sql } from 'kysely'
import { unavailable } from '../contract/problem.ts'
import type { App, Service } from './service.ts'

/** `/healthz`: the process is alive, whatever the database does. `/readyz`: it can do its work now. */
export function healthRoutes(app: App, { db, isStopping }: Service): void {
  app.get('/healthz', { schema: { hide: true }, logLevel: 'warn' }, async () => ({ status: 'alive' }))
  app.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async () => {
    if (isStopping()) throw unavailable()
    await sql`select 1`.execute(db)
    return { status: 'ready' }
  })
}
