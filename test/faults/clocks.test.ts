import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { onPostgres } from '../cli/fresh-database.ts'
import { useSandbox } from '../cli/sandbox.ts'
import { makeSchool } from '../cli/school.ts'
import { Client } from '../support/client.ts'
import { enter, logIn, PASSWORD, type School } from '../support/factory.ts'
import { once } from '../support/process.ts'
import { clockOff, offsetTo } from './fake-clock.ts'
import { ROUNDS, Scene, tell } from './scene.ts'

const sandbox = useSandbox()

describe('a host whose clock is off', () => {
  const right = once(() => sandbox.serve(onPostgres()))
  const made = once(() => makeSchool(sandbox, onPostgres()))

  it.for([
    ['+9h', 401, 'tokens have expired there'],
    ['+30', 200, 'half a minute is forgiven'],
    ['-600', 401, 'tokens come from the future there'],
    ['+31d', 401, 'tokens have expired there'],
  ] as const)(
    'by %s returns %i for the token of another host, and can refresh its session (F21)',
    async (given, context) => {
      const [offset, status] = given
      const { user } = await made()
      const { url } = await sandbox.serve({ ...onPostgres(), ...clockOff(offset) })
      const tokens = await logIn(new Client(await right()), user.email)
      const there = new Client({ url })
      const bearer = ({ token }: { token: string }) => there.with({ authorization: `Bearer ${token}` })
      expect((await bearer(tokens).get('/auth/me')).status).toBe(status)
      // The database decides for all hosts alike whether a session is valid.
      const refreshed = await there.post('/auth/refresh', { refresh_token: tokens.refresh_token })
      expect(refreshed.status).toBe(200)
      expect((await bearer(refreshed.body).get('/auth/me')).status).toBe(200)
      tell(context, { injected: 1, what: `clock off by ${offset}` })
    },
  )

  it('by half a minute issues tokens that other hosts accept (F21)', async (context) => {
    const { user } = await made()
    const { url } = await sandbox.serve({ ...onPostgres(), ...clockOff('+30') })
    const { token } = await logIn(new Client({ url }), user.email)
    const me = await new Client(await right(), { authorization: `Bearer ${token}` }).get('/auth/me')
    expect(me.status).toBe(200)
    tell(context, { injected: 1, what: 'clock off by +30' })
  })
})

it('a clock that jumps an hour forward and back under load locks nobody out (F22)', async (context) => {
  const file = join(await sandbox.folder(), 'offset')
  writeFileSync(file, '+0\n')
  const running = await sandbox.serve({ ...onPostgres(), ...clockOff({ file }) })
  const scene = await Scene.at(sandbox, running.url, onPostgres())
  const school = await scene.enter(running)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const offset of ['+3600', '+0']) {
      writeFileSync(file, `${offset}\n`)
      await scene.load(school, scene.hasDone(30))
      // Ten failed logins would lock the account at any time, so only the first round has some.
      if (round > 0) continue
      // A failed login now does not lock for longer than at any other time.
      const { email } = scene.made.user
      const wrong = await new Client(running).post('/auth/login', { email, password: 'wrong' })
      expect(wrong.status).toBe(401)
      expect((await new Client(running).post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
    }
  }
  const falsified = await scene.requireSoundOnPostgres(school, onPostgres())
  tell(context, { injected: 2 * ROUNDS, what: 'jumps', falsified }, scene.known)
})

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia']

/** A minute before the clocks change: in Berlin in spring and autumn, and in New York in spring. */
const NIGHTS = ['2026-03-29T00:59:00Z', '2026-10-25T00:59:00Z', '2026-03-08T06:59:00Z']

describe('the time zone of the process in a night when the clocks change', () => {
  const prepared = once(sandbox.schoolDir)

  it.for(NIGHTS)('does not affect any response: %s (F23, F24)', async (night, context) => {
    const { DATA_DIR: original, made } = await prepared()
    const transcripts: string[] = []
    for (const TZ of ZONES) {
      const DATA_DIR = await sandbox.copyOf(original)
      const environment = { DATA_DIR, TZ, ...clockOff(offsetTo(night)) }
      const { service, url } = await sandbox.serve(environment)
      transcripts.push(await transcriptOf(await enter({ url }, made)))
      await service.stop()
    }
    for (const transcript of transcripts) expect(transcript).toBe(transcripts[0])
    tell(context, { injected: ZONES.length, what: 'zones' })
  })
})

/** Lessons at the edges of the calendar and their expected status, in order. The instructor has 4 units a day and 6 a week. */
const EDGES: readonly (readonly [start_at: string, end_at: string, status: number, what: string])[] = [
  ['2026-03-29 02:30', '2026-03-29 04:00', 400, 'skipped in spring'],
  ['2026-03-29 01:30', '2026-03-29 03:00', 201, 'across the skipped hour'],
  ['2026-10-25 01:30', '2026-10-25 03:30', 201, '120 minutes on the wall'],
  ['2026-10-25 03:30', '2026-10-25 04:30', 201, 'exactly 4 units on that day'],
  ['2026-10-25 05:00', '2026-10-25 05:45', 409, 'a fifth unit'],
  ['2026-12-28 08:00', '2026-12-28 11:00', 201, 'week 53, Monday'],
  ['2027-01-03 23:00', '2027-01-04 00:30', 201, 'week 53, Sunday, into week 1'],
  ['2027-01-02 08:00', '2027-01-02 08:45', 409, 'a seventh unit in week 53'],
  ['2027-01-04 08:00', '2027-01-04 11:00', 201, 'week 1 starts from zero'],
  ['2028-02-29 08:00', '2028-02-29 11:00', 201, 'a leap day'],
  ['2027-02-29 08:00', '2027-02-29 11:00', 400, 'no leap day'],
  ['2028-02-29 23:30', '2028-03-01 00:30', 409, "exceeds the leap day's limit"],
  ['2028-03-01 00:30', '2028-03-01 01:15', 201, 'the day after'],
]

/** Returns the responses to a list of requests, without ids and instants. */
async function transcriptOf(school: School): Promise<string> {
  const { id: instructor_id } = await school.instructor({
    // The default color depends on the id.
    color: '#0072B2',
    max_daily_units: 4,
    max_weekly_units: 6,
  })
  const said: string[] = []
  for (const [start_at, end_at, status, what] of EDGES) {
    const answer = await school.book({ instructor_id, start_at, end_at })
    expect([what, answer.status]).toEqual([what, status])
    said.push(answer.text)
  }
  for (const path of [
    '/appointments',
    '/appointments?from=2026-10-25&to=2026-12-28',
    '/slots?from=2026-03-28&to=2026-03-30&minutes=90&limit=50',
    '/instructors',
    '/tenant',
    '/bootstrap',
  ]) {
    said.push((await school.client.get(path)).text)
  }
  return neutral(said.join('\n'))
}

/** Replaces ids by numbers in order of appearance, and instants by a fixed text. */
function neutral(text: string): string {
  const ids = new Map<string, string>()
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      ids.set(id, ids.get(id) ?? `id ${ids.size}`)
      return ids.get(id) ?? ''
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'an instant')
}
