import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { slot } from '../support/races.ts'

const service = useService()

it('whoever waits too long for a lock is told so, however many statements travel behind the one that waits', async () => {
  const database = inject('database')
  if (database.kind !== 'postgres') throw new Error('who holds a lock needs a second connection')
  const school = await aSchool(service())
  const { client } = school
  const { id: instructor_id } = await school.instructor()
  const [student, deleted] = [await school.student(), await school.student()]
  const lesson = await school.lesson({ instructor_id, student_id: student.id, ...slot('2041-01-07', 480) })
  await client.delete(`/students/${deleted.id}`)
  const holder = new pg.Client({ connectionString: database.owner })
  await holder.connect()
  await holder.query('begin')
  for (const table of ['calendars', 'appointments', 'students', 'instructors'])
    await holder.query(`select from ${table} where tenant_id = $1 for update`, [school.tenantId])
  const answers = await Promise.all([
    school.book({ instructor_id, ...slot('2041-01-07', 900) }),
    client.patch(`/appointments/${lesson.id}`, slot('2041-01-07', 900)),
    client.patch(`/appointments/${lesson.id}`, { notes: 'motorway' }),
    client.delete(`/appointments/${lesson.id}`),
    client.patch(`/instructors/${instructor_id}`, { phone: '112' }),
    client.patch(`/students/${student.id}`, { phone: '112' }),
    client.delete(`/students/${student.id}`),
    client.post(`/students/${deleted.id}/restore`),
  ])
  await holder.query('rollback')
  await holder.end()
  expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
    answers.map(() => '503 unavailable'),
  )
})
