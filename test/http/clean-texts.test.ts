import { beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const TURNED = '\u202eLena\u0007\u2066'

it('control characters and marks of direction are removed from names and texts', async () => {
  const { client } = school
  const notes = 'one\n\u202etwo'
  const student = must(
    201,
    await client.post('/students', { first_name: TURNED, last_name: 'Vogt\nKaya', notes }),
  )
  expect(student).toMatchObject({ first_name: 'Lena', last_name: 'Vogt Kaya', notes: 'one\ntwo' })
  const instructor = must(201, await client.post('/instructors', { first_name: TURNED, last_name: 'B' }))
  expect(instructor.first_name).toBe('Lena')
  expect(must(201, await client.post('/vehicles', { name: TURNED, kind: 'car' })).name).toBe('Lena')
  expect(must(201, await client.post('/locations', { name: TURNED })).name).toBe('Lena')
  expect(must(200, await client.patch('/tenant', { name: TURNED })).name).toBe('Lena')
  const type = `/tenant/lesson-types/${school.lessonTypes.RURAL}`
  expect(must(200, await client.patch(type, { name: TURNED })).name).toBe('Lena')
  const user = { name: TURNED, role: 'office', email: 'turned@school.example' }
  must(201, await client.post('/users', user))
  const users: { email: string; name: string }[] = must(200, await client.get('/users'))
  expect(users.find(({ email }) => email === user.email)?.name).toBe('Lena')
})

it('a name of nothing else is refused as too short', async () => {
  const { status, body } = await school.client.post('/students', {
    first_name: '\u202e\u0007',
    last_name: 'B',
  })
  expect([status, body.errors]).toEqual([
    400,
    [expect.objectContaining({ pointer: '/first_name', code: 'too_short' })],
  ])
})

it('names in an imported file are cleaned, too', async () => {
  const file = Buffer.from(`Vorname;Nachname\n${TURNED};Import\n`).toString('base64')
  must(200, await school.client.post('/student-imports', { file }))
  const students: { first_name: string; last_name: string }[] = must(
    200,
    await school.client.get('/students'),
  )
  expect(students.find(({ last_name }) => last_name === 'Import')?.first_name).toBe('Lena')
})
