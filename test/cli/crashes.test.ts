import { describe, expect, it } from 'vitest'
import { must, statusOf } from '../support/client.ts'
import { enter, type Row, type School } from '../support/factory.ts'
import { JWT_SECRET, type Program, until } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'
import { useSandbox } from './sandbox.ts'
import { tenantCreate } from './school.ts'

const sandbox = useSandbox()

/** Milliseconds after the start, one in each quarter of the time that a first start takes. */
const MOMENTS = [200, 1150, 2100, 3050].map((from) => from + Math.floor(Math.random() * 950))

const ROUNDS = rounds(5)
const CLIENTS = 8
const LESSONS_BEFORE_KILL = 40

const PLANNED = 40

describe.concurrent('kill -9', () => {
  it('while a plan is being applied leaves whole lessons, and applying it again books the rest (F1)', async () => {
    const { DATA_DIR, made } = await sandbox.schoolDir()
    const first = await sandbox.serve({ DATA_DIR })
    const before = await enter({ url: first.url }, made)
    const plan = await planned(before)
    expect(plan.proposed).toHaveLength(PLANNED)
    const lessonsOf = async ({ client }: School): Promise<readonly Row[]> =>
      must(200, await client.get('/appointments'))
    const applying = before.client.post(`/plans/${plan.id}/apply`, { as: 'booked' }).catch(() => undefined)
    await until(async () => (await lessonsOf(before)).length > 0)
    first.service.signal('SIGKILL')
    expect(await applying).toBeUndefined()
    await first.service.exited
    const { url } = await sandbox.serve({ DATA_DIR })
    const school = await enter({ url }, before)
    const kept = await lessonsOf(school)
    expect([kept.length > 0, kept.length < PLANNED]).toEqual([true, true])
    const again = () => school.client.post(`/plans/${plan.id}/apply`, { as: 'booked' })
    await until(async () => (await again()).status === 200)
    const answer = must(200, await again())
    expect(answer.refused).toEqual([])
    expect(answer.booked).toHaveLength(PLANNED)
    const all = await lessonsOf(school)
    expect(all.map(({ id }) => id).toSorted()).toEqual(answer.booked.map(({ id }: Row) => id).toSorted())
    expect(all).toEqual(expect.arrayContaining([...kept]))
    const { undone } = must(200, await school.client.post(`/changes/sets/${answer.set_id}/undo`))
    expect(undone).toHaveLength(PLANNED + 1)
    expect(await lessonsOf(school)).toEqual([])
  })

  it(`of a first start after ${MOMENTS.join(', ')} ms leaves a directory that the next start completes (F3)`, async () => {
    const DATA_DIR = await sandbox.folder()
    for (const moment of MOMENTS) {
      const cutShort = sandbox.start(['serve'], { DATA_DIR, JWT_SECRET, PORT: '0' })
      await new Promise((resolve) => setTimeout(resolve, moment))
      await cutShort.stop('SIGKILL')
    }
    const { url } = await sandbox.serve({ DATA_DIR })
    expect(await statusOf(url, '/readyz')).toBe(200)
    expect((await sandbox.run(tenantCreate(), { DATA_DIR })).code).toBe(0)
  })

  it(`during ${ROUNDS} rounds of bookings loses no acknowledged lesson and leaves no overlap (F1, I11)`, {
    tags: 'rounds',
  }, async () => {
    const { DATA_DIR, made } = await sandbox.schoolDir()
    let { service, url } = await sandbox.serve({ DATA_DIR })
    let school = await enter({ url }, made)
    const instructors = [(await school.instructor()).id, (await school.instructor()).id]
    const acknowledged = new Map<string, Row>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = bookUntilKilled(school, service, { instructors, month: 1 + round })
      for (const lesson of await load) acknowledged.set(lesson.id, lesson)
      ;({ service, url } = await sandbox.serve({ DATA_DIR }))
      school = await enter({ url }, school)
      const stored: readonly Row[] = (await school.client.get('/appointments')).body
      const byId = new Map(stored.map((row) => [row.id, row]))
      expect([...acknowledged.values()].filter(({ id }) => !byId.has(id))).toEqual([])
      for (const [id, lesson] of acknowledged) expect(byId.get(id)).toEqual(lesson)
      expect(overlapsIn(stored)).toEqual([])
    }
    expect(await sandbox.run(['doctor'], { DATA_DIR })).toMatchObject({ code: 0, err: '' })
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * LESSONS_BEFORE_KILL)
  })
})

/** Plans a week of students who can come whenever an instructor works. */
async function planned(school: School): Promise<Row & { readonly proposed: readonly Row[] }> {
  const hours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '17:00' }))
  await school.instructor({ availability_windows: hours })
  for (let count = 0; count < PLANNED; count += 1) {
    const { id } = await school.student()
    must(201, await school.client.post(`/students/${id}/wishes`, { minutes: 45 }))
  }
  return must(201, await school.client.post('/plans', { from: '2031-03-03', to: '2031-03-07', effort: 1 }))
}

type Load = {
  readonly instructors: readonly string[]
  readonly month: number
}

/** Books at random from many clients until the service is killed. Returns the confirmed lessons. */
async function bookUntilKilled(school: School, service: Program, load: Load): Promise<readonly Row[]> {
  const confirmed: Row[] = []
  const lastOnes = LESSONS_BEFORE_KILL + Math.floor(Math.random() * CLIENTS)
  const book = async () => {
    for (;;) {
      const answer = await school.book(aLesson(load)).catch(() => undefined)
      if (!answer) return
      if (answer.status === 201) confirmed.push(answer.body)
      else expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 409 })
      if (confirmed.length === lastOnes) service.signal('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, book))
  await service.exited
  return confirmed
}

/** Returns a 45-minute drive at a random quarter of an hour. Many of them overlap. */
function aLesson({ instructors, month }: Load) {
  const quarter = Math.floor(Math.random() * 28 * 96)
  const start = Date.UTC(2030, month, 1) + quarter * 15 * 60_000
  const clock = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
  return {
    instructor_id: instructors[quarter % instructors.length],
    start_at: clock(start),
    end_at: clock(start + 45 * 60_000),
  }
}

/** Returns the lessons that begin before an earlier one of the same instructor has ended. */
function overlapsIn(lessons: readonly Row[]): readonly Row[] {
  const freeAt = new Map<unknown, string>()
  return lessons
    .toSorted((a, b) => String(a.start_at).localeCompare(String(b.start_at)))
    .filter(({ instructor_id, start_at, end_at }) => {
      const isOverlapping = String(start_at) < (freeAt.get(instructor_id) ?? '')
      freeAt.set(instructor_id, [String(end_at), freeAt.get(instructor_id) ?? ''].toSorted()[1] ?? '')
      return isOverlapping
    })
}
