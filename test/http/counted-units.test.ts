import { afterEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { Trainer, templateOf } from '../support/trainer.ts'

const service = useService()

afterEach(() => service().setClock(undefined))

async function trainerFor(code: string, place: object = {}): Promise<{ school: School; trainer: Trainer }> {
  const school = await aSchool(service(), place)
  const { id } = await school.instructor({ license_classes: ['B'] })
  return { school, trainer: new Trainer(school, await templateOf(school, code), id) }
}

async function lineOf({ client, lessonTypes }: School, student: string, code: string): Promise<Row> {
  const { requirements } = must(200, await client.get(`/students/${student}/progress`))
  return requirements.find((one: Row) => one.lesson_type_id === lessonTypes[code])
}

async function checked({ client, lessonTypes }: School, lesson: object, code: string): Promise<Row[]> {
  const times = { start_at: '2027-03-01 10:00', end_at: '2027-03-01 11:30' }
  const proposal = { ...lesson, lesson_type_id: lessonTypes[code], ...times }
  return must(200, await client.post('/appointments/check', proposal)).warnings
}

async function summed({ client }: School, student: string): Promise<Row> {
  const rows: Row[] = must(200, await client.get('/students?with=progress'))
  return rows.find(({ id }) => id === student)?.progress as Row
}

it('for B197 a drive counts by the gearbox of its vehicle, whatever its type', async () => {
  const { school, trainer } = await trainerFor('B197')
  const [student, { client }] = [await trainer.learner(), school]
  const car = async (gearbox: string | null, code: string) => {
    const vehicle = { name: `Golf ${gearbox} ${code}`, kind: 'car', gearbox, license_classes: ['B'] }
    return must(201, await client.post('/vehicles', vehicle)).id
  }
  const driven = async (code: string, minutes: number, gearbox?: string | null) => {
    const id = await trainer.drive(student, code, minutes)
    const vehicle_ids = gearbox === undefined ? [] : [await car(gearbox, code)]
    must(200, await client.patch(`/appointments/${id}`, { vehicle_ids }))
  }
  await driven('MANUAL_GEARBOX', 90)
  await driven('MANUAL_GEARBOX', 90, 'automatic')
  await driven('MANUAL_GEARBOX', 45, null)
  await driven('RURAL', 90, 'manual')
  await driven('PRACTICE', 90, 'manual')
  await driven('PRACTICE', 90, 'automatic')
  await driven('PRACTICAL_EXAM', 45, 'manual')
  expect(await lineOf(school, student, 'MANUAL_GEARBOX')).toMatchObject({ done_units: 7, open_units: 3 })
  expect(await lineOf(school, student, 'RURAL')).toMatchObject({ done_units: 2 })
  const { other } = must(200, await client.get(`/students/${student}/progress`))
  const others = other.map((one: Row) => [one.lesson_type_id, one.done_units])
  const { PRACTICE, MANUAL_GEARBOX, PRACTICAL_EXAM } = school.lessonTypes
  expect(Object.fromEntries(others)).toEqual({
    ...{ [PRACTICE ?? '']: 4, [MANUAL_GEARBOX ?? '']: 2, [PRACTICAL_EXAM ?? '']: 1 },
  })

  const lesson = { instructor_id: trainer.instructor, student_id: student }
  expect(await checked(school, lesson, 'MANUAL_GEARBOX')).toEqual([])
  await driven('MOTORWAY', 135, 'manual')
  const [warning] = await checked(school, lesson, 'MANUAL_GEARBOX')
  expect(warning).toMatchObject({
    ...{ code: 'requirement_already_met', params: { required_units: 10, done_units: 10 } },
  })
})

it.each([
  [14, 0],
  [15, 1],
  [90, 1],
])('a check drive of %i minutes counts %i', async (minutes, done_units) => {
  const { school, trainer } = await trainerFor('B197')
  const student = await trainer.learner()
  await trainer.drive(student, 'MANUAL_CHECK', minutes)
  expect(await lineOf(school, student, 'MANUAL_CHECK')).toMatchObject({ done_units })
})

it('a check drive with an instructor in training does not count, other drives do', async () => {
  const { school, trainer } = await trainerFor('B197')
  const [student, { client }] = [await trainer.learner(), school]
  const path = `/instructors/${trainer.instructor}`
  await trainer.drive(student, 'MANUAL_CHECK', 45)
  await trainer.drive(student, 'RURAL', 90)
  must(200, await client.patch(path, { is_trainee: true }))
  expect(await lineOf(school, student, 'MANUAL_CHECK')).toMatchObject({ done_units: 0, open_units: 1 })
  expect(await lineOf(school, student, 'RURAL')).toMatchObject({ done_units: 2 })
  const lesson = { instructor_id: trainer.instructor, student_id: student }
  expect(await checked(school, lesson, 'MANUAL_CHECK')).toEqual([])
  must(200, await client.patch(path, { is_trainee: false }))
  expect(await lineOf(school, student, 'MANUAL_CHECK')).toMatchObject({ done_units: 1 })
  expect(await checked(school, lesson, 'MANUAL_CHECK')).toMatchObject([{ code: 'requirement_already_met' }])
})

it('in Austria the drives by night, on motorways and overland are among the 18 units of practice', async () => {
  const { school, trainer } = await trainerFor('AT_B_FULL', { country: 'AT', timezone: 'Europe/Vienna' })
  const student = await trainer.learner()
  for (const units of [6, 7]) await trainer.drive(student, 'PRACTICE', units * 50)
  for (const code of ['RURAL', 'MOTORWAY']) await trainer.drive(student, code, 100)
  expect(await lineOf(school, student, 'PRACTICE')).toMatchObject({ done_units: 17, open_units: 1 })
  // One unit is left, which must be by night.
  expect(await summed(school, student)).toMatchObject({ done_units: 17, required_units: 50 })
  const lesson = { instructor_id: trainer.instructor, student_id: student }
  expect(await checked(school, lesson, 'PRACTICE')).toEqual([])
  await trainer.drive(student, 'RURAL', 50)
  expect(await lineOf(school, student, 'PRACTICE')).toMatchObject({ done_units: 18, open_units: 0 })
  expect(await summed(school, student)).toMatchObject({ done_units: 17, required_units: 50 })
  expect(await checked(school, lesson, 'PRACTICE')).toMatchObject([{ code: 'requirement_already_met' }])
  await trainer.drive(student, 'NIGHT', 50, 'planned')
  expect(await summed(school, student)).toMatchObject({ done_units: 17, planned_units: 1 })
})

it('in Poland a unit of theory has 45 minutes, one of practice 60', async () => {
  const { school, trainer } = await trainerFor('PL_B', { country: 'PL', timezone: 'Europe/Warsaw' })
  const student = await trainer.learner()
  for (let count = 0; count < 3; count += 1) await trainer.drive(student, 'THEORY_BASIC', 45)
  await trainer.drive(student, 'PRACTICE', 45)
  await trainer.drive(student, 'RURAL', 119)
  expect(await lineOf(school, student, 'THEORY_BASIC')).toMatchObject({ done_units: 3, required_units: 30 })
  expect(await lineOf(school, student, 'PRACTICE')).toMatchObject({ done_units: 1, required_units: 30 })
  expect(await lineOf(school, student, 'RURAL')).toMatchObject({ done_units: 1, required_units: 4 })
})

it.each([
  ['DE', 'Europe/Berlin', 'B', '2027-05-04T21:59:00Z', true],
  ['DE', 'Europe/Berlin', 'B', '2027-05-04T22:00:00Z', false],
  ['GB', 'Europe/London', 'GB_B', '2027-05-04T23:00:00Z', true],
])(
  'in %s (%s) a theory test for %s, passed on 2026-05-04, is valid at %s: %j',
  async (country, timezone, code, moment, theory_test) => {
    service().setClock(new Date('2027-05-04T18:00:00Z'))
    const { school, trainer } = await trainerFor(code, { country, timezone })
    const student = await trainer.learner()
    const taken = {
      ...{ instructor_id: trainer.instructor, student_id: student },
      ...{ lesson_type_id: school.lessonTypes.THEORY_EXAM, exam_result: { passed: true } },
      ...{ start_at: '2026-05-04 08:00', end_at: '2026-05-04 08:45' },
    }
    must(201, await school.client.post('/appointments', taken))
    const read = async (tag = '') => school.client.get('/students?with=readiness', { 'if-none-match': tag })
    const before = await read()
    expect(must(200, before)[0].readiness).toMatchObject({ theory_test: true })
    service().setClock(new Date(moment))
    expect(must(200, await read())[0].readiness).toMatchObject({ theory_test })
    expect((await read(before.headers.get('etag') ?? '')).status).toBe(theory_test ? 304 : 200)
  },
)
