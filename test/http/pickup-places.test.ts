import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

it('students have a pick-up place, and its changes are in the history', async () => {
  const given = { first_name: 'Lena', last_name: 'Vogt', pickup_place: '  Station, north exit ' }
  const { id, pickup_place } = must(201, await school.client.post('/students', given))
  expect(pickup_place).toBe('Station, north exit')
  expect(must(200, await school.client.patch(`/students/${id}`, { pickup_place: null })).pickup_place).toBe(
    null,
  )
  const [changed] = must(200, await school.client.get(`/students/${id}/history`))
  expect([changed.before, changed.after]).toEqual([
    { pickup_place: 'Station, north exit', version: 1 },
    { pickup_place: null, version: 2 },
  ])
})

it.each(['Abholort', 'Treffpunkt', 'Pick-up place', 'pickup_place'])(
  'a student import reads pick-up places from the column %s',
  async (heading) => {
    const file = Buffer.from(`Vorname;Nachname;${heading}\nLena;Vogt;Station`).toString('base64')
    must(200, await school.client.post('/student-imports', { file }))
    expect((await school.client.get('/students')).body).toMatchObject([{ pickup_place: 'Station' }])
  },
)

it('a student import reports the line of a pick-up place that is too long', async () => {
  const file = Buffer.from(`Vorname;Nachname;Abholort\nLena;Vogt;${'x'.repeat(201)}`).toString('base64')
  const { body } = await school.client.post('/student-imports', { file })
  expect(body.errors).toMatchObject([{ pointer: '/file/2/pickup_place', code: 'too_long' }])
})

it('a lesson has its own pick-up place, which can change even if its instructor is inactive', async () => {
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }
  const lesson = await school.lesson({ instructor_id, ...times, pickup_place: 'Station' })
  expect(lesson.pickup_place).toBe('Station')
  await school.client.patch(`/instructors/${instructor_id}`, { active: false })
  const moved = await school.client.patch(`/appointments/${lesson.id}`, { pickup_place: 'School' })
  expect(must(200, moved).pickup_place).toBe('School')
})
