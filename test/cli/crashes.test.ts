import { describe, expect, it } from 'vitest'
import { statusOf } from '../support/client.ts'
import { enter, type Row, type School } from '../support/factory.ts'
import { JWT_SECRET, type Program } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'
import { tenantCreate } from './school.ts'
import { useWorkshop } from './workshop.ts'

const workshop = useWorkshop()

/** Milliseconds after the start, one in each quarter of the time that a first start takes. */
const MOMENTS = [200, 1150, 2100, 3050].map((from) => from + Math.floor(Math.random() * 950))

const ROUNDS = rounds(5)
const CLIENTS = 8
const LESSONS_BEFORE_KILL = 40

describe.concurrent('kill -9', () => {
  it(`of a first start after ${MOMENTS.join(', ')} ms leaves a directory that the next start completes (F3)`, async () => {
    const DATA_DIR = await workshop.folder()
    for (const moment of MOMENTS) {
      const cutShort = workshop.start(['serve'], { DATA_DIR, JWT_SECRET, PORT: '0' })
      await new Promise((resolve) => setTimeout(resolve, moment))
      await cutShort.stop('SIGKILL')
    }
    const { url } = await workshop.serve({ DATA_DIR })
    expect(await statusOf(url, '/readyz')).toBe(200)
    expect((await workshop.run(tenantCreate(), { DATA_DIR })).code).toBe(0)
  })

  it(`during ${ROUNDS} rounds of bookings loses no acknowledged lesson and leaves no overlap (F1, I11)`, {
    tags: 'rounds',
  }, async () => {
    const { DATA_DIR, made } = await workshop.schoolDir()
    let { service, url } = await workshop.serve({ DATA_DIR })
    let school = await enter({ url }, made)
    const instructors = [(await school.instructor()).id, (await school.instructor()).id]
    const acknowledged = new Map<string, Row>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = bookUntilKilled(school, service, { instructors, month: 1 + round })
      for (const lesson of await load) acknowledged.set(lesson.id, lesson)
      ;({ service, url } = await workshop.serve({ DATA_DIR }))
      school = await enter({ url }, school)
      const stored: readonly Row[] = (await school.client.get('/appointments')).body
      const byId = new Map(stored.map((row) => [row.id, row]))
      expect([...acknowledged.values()].filter(({ id }) => !byId.has(id))).toEqual([])
      for (const [id, lesson] of acknowledged) expect(byId.get(id)).toEqual(lesson)
      expect(overlapsIn(stored)).toEqual([])
    }
    expect(await workshop.run(['doctor'], { DATA_DIR })).toMatchObject({ code: 0, err: '' })
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * LESSONS_BEFORE_KILL)
  })
})

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
