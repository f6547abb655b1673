import { afterAll, expect, inject, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, logIn, School } from '../support/factory.ts'
import { freePort, Program } from '../support/process.ts'
import { slot } from '../support/races.ts'
import { bearer } from '../support/session.ts'
import { startNginx } from './daemons.ts'

const service = useService()
const stops: (() => Promise<unknown>)[] = []

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

/** Requests in progress are lost with their process. nginx retries only safe methods, never a POST. */
it.each(['SIGTERM', 'SIGKILL'] as const)(
  'ending a process by %s under load fails no read and loses no confirmed booking (F2)',
  async (signal) => {
    const { url, first } = await aPair()
    const school = await aSchoolAt(url)
    const instructors = await Promise.all(Array.from({ length: 8 }, () => school.instructor()))
    const end = Promise.withResolvers<void>()
    let isOver = false
    const reads: number[] = []
    const bookings: { status: number; id: string }[] = []
    const work = async (instructor_id: string) => {
      for (let number = 0; !isOver; number += 1) {
        reads.push((await school.client.get('/students')).status)
        const { status, body } = await school.book({ instructor_id, ...slot('2041-01-07', 50 * number) })
        bookings.push({ status, id: body.id })
        if (bookings.length === 100) end.resolve()
        if (bookings.length === 200) isOver = true
      }
    }
    const working = Promise.all(instructors.map(({ id }) => work(id)))
    await end.promise
    await first.stop(signal)
    await working

    expect(new Set(reads)).toEqual(new Set([200]))
    expect(bookings.map(({ status }) => status).filter((status) => ![201, 503].includes(status))).toEqual([])
    const stored = (await school.client.get('/appointments')).body.map(({ id }: { id: string }) => id)
    const confirmed = bookings.filter(({ status }) => status === 201).map(({ id }) => id)
    expect(confirmed.length).toBeGreaterThan(190)
    expect(confirmed.filter((id) => !stored.includes(id))).toEqual([])
  },
)

it('while no process answers, a browser gets a page that loads itself again, and a program the usual 503', async () => {
  const [one, other] = [await freePort(), await freePort()]
  const nginx = await startNginx([one, other])
  stops.push(nginx.stop)
  const ask = (accept: string) => fetch(`http://127.0.0.1:${nginx.port}/students`, { headers: { accept } })
  const page = await ask('text/html,application/xhtml+xml')
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<meta http-equiv="refresh" content="5">')
  const answer = await ask('application/json')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({ code: 'unavailable', request_id: expect.any(String) })
})

/** Starts two processes for this test, with nginx in front of them. */
async function aPair(): Promise<{ url: string; first: Program }> {
  const [first, second] = [1, 2].map(() => new Program(['serve'], inject('environment')))
  if (!first || !second) throw new Error('no pair')
  stops.push(
    () => first.stop('SIGKILL'),
    () => second.stop(),
  )
  const nginx = await startNginx([portOf(await first.url()), portOf(await second.url())])
  stops.push(nginx.stop)
  return { url: `http://127.0.0.1:${nginx.port}`, first }
}

/** Creates a school that is reached through a pair. */
async function aSchoolAt(url: string): Promise<School> {
  const { tenantId, user, lessonTypes } = await aSchool(service())
  const here = { ...service(), url }
  const { token } = await logIn(new Client(here), user.email)
  return new School(tenantId, user, new Client(here, bearer(token)), lessonTypes)
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
