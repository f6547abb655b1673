import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { connectEmbedded, connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { putMail } from '../../src/db/messages/mails.ts'
import { type MailServer, type ReceivedMail, refusal, startMailServer } from '../support/mail-server.ts'
import { type Environment, freePort, type Program, until } from '../support/process.ts'
import { useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool, printed } from './school.ts'

const sandbox = useSandbox()
const database = useFreshDatabase()
const servers: MailServer[] = []

afterAll(() => Promise.all(servers.map((server) => server.close())))

const report = (error: Error) => console.error('lost connection', error.message)
const onServer = () => ({ DATABASE_URL: database().app, MIGRATION_DATABASE_URL: database().owner })

/** Starts a mail server. Returns it with the settings of a service that uses it. */
async function aMailServer(judge?: (mail: ReceivedMail) => void | Promise<void>) {
  const server = await startMailServer({}, judge)
  servers.push(server)
  const settings = {
    SMTP_URL: server.url,
    MAIL_FROM: 'noreply@school.example',
    PUBLIC_URL: 'https://fahrplan.example',
  }
  return { server, settings }
}

/** Puts a mail for each reader into the outbox of an open database. */
async function put(db: DatabasePool, tenantId: string, readers: readonly string[]): Promise<void> {
  const worth_until = new Date(Date.now() + 3_600_000)
  for (const reader of readers) {
    const to = { address: `${reader}@reader.example`, name: reader }
    const params = { url: 'https://fahrplan.example/reset#secret' }
    const mail = { to, worth_until, template: 'password_reset', params } as const
    await inTransaction(db, (transaction) => putMail(transaction, tenantId, mail))
  }
}

/** Expires all claims. */
async function claimsEnd(db: DatabasePool): Promise<void> {
  await sql`update mails set next_attempt_at = now(), claimed_until = now() where claimed_until is not null`.execute(
    db,
  )
}

async function onEmbedded(DATA_DIR: string, work: (db: DatabasePool) => Promise<void>): Promise<void> {
  const db = await connectEmbedded(join(DATA_DIR, 'database'), report)
  await work(db)
  await db.destroy()
}

const statesIn = async (db: DatabasePool) =>
  (await db.selectFrom('mails').select('state').execute()).map(({ state }) => state)

const readersOf = ({ received }: MailServer) => received.flatMap(({ recipients }) => recipients).toSorted()

describe('services on one PostgreSQL', () => {
  it('send each mail once, including one that a killed process had started', async () => {
    const { tenantId } = await makeSchool(sandbox, onServer())
    const db = connectPostgres(database().app, report)
    const readers = Array.from({ length: 30 }, (_, at) => `reader${at}`)
    const begun = Promise.withResolvers<void>()
    const first = await aMailServer(() => {
      begun.resolve()
      return new Promise(() => undefined)
    })
    await put(db, tenantId, readers)
    const { service: doomed } = await sandbox.serve({ ...onServer(), ...first.settings })
    await begun.promise
    await doomed.stop('SIGKILL')
    const { server, settings } = await aMailServer()
    const survivors = await Promise.all([1, 2].map(() => sandbox.serve({ ...onServer(), ...settings })))
    await server.receives(readers.length - 1)
    await until(async () => (await statesIn(db)).filter((state) => state === 'waiting').length === 1)
    await claimsEnd(db)
    await server.receives(readers.length)
    await until(async () => (await statesIn(db)).every((state) => state === 'sent'))
    for (const { service } of survivors) expect((await service.stop()).code).toBe(0)
    expect(readersOf(server)).toEqual(readers.map((reader) => `${reader}@reader.example`).toSorted())
    await db.destroy()
  })
})

describe.concurrent('a service with the embedded database', () => {
  it('resends a mail with the same Message-ID if it was killed before recording it as sent', async () => {
    const { DATA_DIR, made } = await sandbox.schoolDir()
    await onEmbedded(DATA_DIR, (db) => put(db, made.tenantId, ['reader']))
    let doomed: Program | undefined
    const seen: (string | undefined)[] = []
    const { server, settings } = await aMailServer(async ({ parsed }) => {
      seen.push(parsed.messageId)
      if (seen.length === 1) await doomed?.stop('SIGKILL')
    })
    ;({ service: doomed } = await sandbox.serve({ DATA_DIR, ...settings }))
    await doomed.exited
    await onEmbedded(DATA_DIR, claimsEnd)
    const { service } = await sandbox.serve({ DATA_DIR, ...settings })
    await service.says(/"event":"mail_sent"/)
    expect((await service.stop()).code).toBe(0)
    expect(seen).toHaveLength(2)
    expect(new Set(seen).size).toBe(1)
    expect(server.received.length).toBeGreaterThan(0)
    await onEmbedded(DATA_DIR, async (db) => expect(await statesIn(db)).toEqual(['sent']))
  })

  it('reports a delayed mail in list, log and metrics, and sends it after mail retry', async () => {
    const { DATA_DIR, made } = await sandbox.schoolDir()
    await onEmbedded(DATA_DIR, (db) => put(db, made.tenantId, ['reader']))
    let isAway = true
    const { server, settings } = await aMailServer(() => {
      if (isAway) throw refusal(451, 'come back later')
    })
    const METRICS_PORT = String(await freePort())
    const environment: Environment = { DATA_DIR, ...settings, METRICS_PORT }
    const { service } = await sandbox.serve(environment)
    await service.says(/"event":"mail_delayed"/)
    const [mail, another] = await printed<readonly Record<string, unknown>[]>(
      sandbox,
      ['mail', 'list', '--json'],
      { DATA_DIR },
    )
    expect(another).toBeUndefined()
    expect(mail).toMatchObject({
      state: 'waiting',
      to_address: 'reader@reader.example',
      attempts: 1,
      tenant_id: made.tenantId,
    })
    expect(mail?.last_error).toMatch(/451/)
    expect(mail).not.toHaveProperty('params')
    const measured = await metrics(METRICS_PORT)
    expect(measured).toMatch(/^mails_waiting 1$/m)
    expect(measured).toMatch(/^mails_total\{outcome="failed"\} 1$/m)
    isAway = false
    const retry = await sandbox.run(['mail', 'retry'], { DATA_DIR })
    expect(retry).toMatchObject({ code: 0, out: 'E-mails to retry now: 1.\n' })
    await server.receives(1)
    await service.says(/"event":"mail_sent"/)
    await until(async () => /^mails_waiting 0$/m.test(await metrics(METRICS_PORT)))
    const list = await sandbox.run(['mail', 'list'], { DATA_DIR })
    expect(list).toMatchObject({ code: 0, out: '' })
    expect(service.said).not.toMatch(/reader@reader|#secret/)
  })
})

async function metrics(port: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}
