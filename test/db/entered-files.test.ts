import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { filesEnteredBy } from '../support/entered-files.ts'
import { aSchool, logIn, type Row, type School } from '../support/factory.ts'
import { slot } from '../support/races.ts'

const FIGURES: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'entered-files.json'), 'utf8'),
)
const NOW = new Date('2032-03-01T06:00:00Z')
const ROUNDS = 4

const service = useService()
let school: School
let instructors: readonly Row[]
let students: readonly Row[]
let day = 0

beforeAll(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
  instructors = await Promise.all([school.instructor(), school.instructor()])
  students = await Promise.all([school.student(), school.student({ first_name: 'Mia' })])
})

afterAll(() => service().setClock(undefined))

/** Returns a time of a day on which nobody has a lesson yet. */
function freeTime() {
  day += 1
  return slot(new Date(NOW.getTime() + day * 86_400_000).toISOString().slice(0, 10), 600)
}

function aLesson(): Promise<Row> {
  return school.lesson({ instructor_id: instructors[0]?.id, student_id: students[0]?.id, ...freeTime() })
}

async function anOffer(): Promise<string> {
  const offer = {
    instructor_id: instructors[0]?.id,
    lesson_type_id: school.lessonTypes.PRACTICE,
    ...freeTime(),
  }
  const made = await school.client.post('/offers', { ...offer, student_ids: [students[1]?.id] })
  return (
    String((must(201, made).links as { url: string }[])[0]?.url)
      .split('/')
      .at(-1) ?? ''
  )
}

type Path = {
  readonly name: string
  readonly status: number
  /** Prepares a request that only then is sent. */
  readonly prepare: () => Promise<() => Promise<Answer>>
}

const PATHS: readonly Path[] = [
  {
    name: 'POST /appointments',
    status: 201,
    prepare: async () => {
      const times = freeTime()
      return () => school.book({ instructor_id: instructors[0]?.id, student_id: students[0]?.id, ...times })
    },
  },
  {
    name: 'PATCH /appointments/{id}',
    status: 200,
    prepare: async () => {
      const [{ id }, times] = [await aLesson(), freeTime()]
      return () => school.client.patch(`/appointments/${id}`, times)
    },
  },
  {
    name: 'POST /appointments/{id}/cancel',
    status: 200,
    prepare: async () => {
      const { id } = await aLesson()
      return () => school.client.post(`/appointments/${id}/cancel`, { by: 'school', reason: 'illness' })
    },
  },
  {
    name: 'GET /slots',
    status: 200,
    prepare: async () => () =>
      school.client.get(`/slots?from=2032-03-01&to=2032-03-14&minutes=90&student_id=${students[0]?.id}`),
  },
  {
    name: 'POST /auth/login',
    status: 200,
    prepare: async () => async () => {
      await logIn(new Client(service()), school.user.email)
      return school.client.get('/auth/me')
    },
  },
  {
    name: 'POST /instructors/{id}/absences',
    status: 200,
    prepare: async () => {
      const { id, start_at } = await aLesson()
      const date = String(start_at).slice(0, 10)
      const decisions = [
        { appointment_id: id, action: 'take_over', instructor_id: instructors[1]?.id, version: 1 },
      ]
      return () =>
        school.client.post(`/instructors/${instructors[0]?.id}/absences`, {
          start_date: date,
          end_date: date,
          note: 'ill',
          decisions,
        })
    },
  },
  {
    name: 'POST /offers/accept/{token}',
    status: 200,
    prepare: async () => {
      const token = await anOffer()
      return () => new Client(service()).post(`/offers/accept/${token}`)
    },
  },
]

// Each count reads the coverage of everything that the worker has loaded.
it('no common path enters more files of the source than entered-files.json says', async () => {
  const entered: Record<string, ReadonlySet<string>> = {}
  for (const { name, status, prepare } of PATHS) {
    let files: ReadonlySet<string> | undefined
    for (let round = 0; round < ROUNDS; round += 1) {
      const send = await prepare()
      const sent = await filesEnteredBy(async () => must(status, await send()))
      // A file that some rounds do not enter belongs to a timer, or to the first request.
      const earlier = files
      files = new Set([...sent].filter((file) => !earlier || earlier.has(file)))
    }
    entered[name] = files ?? new Set()
  }
  expect(Object.keys(entered)).toEqual(Object.keys(FIGURES))
  for (const [name, files] of Object.entries(entered))
    expect(files.size, `${name}: ${[...files].toSorted().join(' ')}`).toBeLessThanOrEqual(FIGURES[name] ?? 0)
})
