import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it('books a lesson and refuses the same time again', async () => {
  const school = await aSchool(service())
  const instructor = await school.instructor()
  const times = { instructor_id: instructor.id, start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }
  expect((await school.book(times)).status).toBe(201)
  const refused = await school.book(times)
  expect(refused.status).toBe(409)
  expect(refused.body.code).toBe('instructor_busy')
})
