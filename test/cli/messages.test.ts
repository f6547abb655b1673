import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { must } from '../support/client.ts'
import { enter, type Row } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { useSandbox } from './sandbox.ts'

const sandbox = useSandbox()
const servers: MailServer[] = []

afterAll(() => Promise.all(servers.map((server) => server.close())))

const day = (date: string) => ({ start_at: `${date} 08:00`, end_at: `${date} 09:30` })

/** Starts a mail server. Returns it with the settings of a service that uses it. */
async function aMailServer(judge?: () => Promise<void>) {
  const server = await startMailServer({}, judge)
  servers.push(server)
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'noreply@school.example' }
  return { server, settings: { ...mail, PUBLIC_URL: 'https://fahrplan.example' } }
}

async function onEmbedded(DATA_DIR: string, work: (db: DatabasePool) => Promise<unknown>): Promise<void> {
  const db = await connectEmbedded(join(DATA_DIR, 'database'), (error) => console.error(error.message))
  await work(db)
  await db.destroy()
}

/** Ends the time to undo for all waiting messages, and the claims of killed processes. */
async function allAreDue(db: DatabasePool): Promise<void> {
  await sql`update messages set send_at = now(), next_attempt_at = now(), claimed_until = null
    where state = 'waiting'`.execute(db)
}

it('after kill -9, messages about acknowledged bookings are sent, except for a deleted lesson', async () => {
  const { DATA_DIR, made } = await sandbox.schoolDir()
  const first = await sandbox.serve({ DATA_DIR })
  const school = await enter(first, made)
  must(200, await school.client.patch('/tenant', { messages: { booked: true, cancelled: true } }))
  const people = {
    instructor_id: (await school.instructor()).id,
    student_id: (await school.student({ email: 'lena@reader.example', messages_consent: true })).id,
  }
  await school.lesson({ ...people, ...day('2099-03-09') })
  const cancelled = await school.lesson({ ...people, ...day('2099-03-10') })
  await first.service.stop('SIGKILL')

  const second = await sandbox.serve({ DATA_DIR })
  const { client } = await enter(second, made)
  expect(must(200, await client.get('/messages?state=waiting'))).toHaveLength(2)
  await second.service.stop('SIGKILL')

  await onEmbedded(DATA_DIR, allAreDue)
  const begun = Promise.withResolvers<void>()
  const hanging = await aMailServer(() => {
    begun.resolve()
    return new Promise(() => undefined)
  })
  const third = await sandbox.serve({ DATA_DIR, ...hanging.settings })
  const office = await enter(third, made)
  await begun.promise
  must(204, await office.client.delete(`/appointments/${cancelled.id}`))
  await third.service.stop('SIGKILL')

  await onEmbedded(DATA_DIR, allAreDue)
  const { server, settings } = await aMailServer()
  const last = await sandbox.serve({ DATA_DIR, ...settings })
  const survivor = await enter(last, made)
  await until(async () => {
    const all = must(200, await survivor.client.get('/messages')) as unknown as Row[]
    return all.every(({ state }) => state !== 'waiting')
  })
  expect((await last.service.stop()).code).toBe(0)
  expect(server.received.map(({ parsed }) => parsed.subject)).toEqual([
    expect.stringContaining('9. März 2099'),
  ])
})
