import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it("a student's page returns 404 after half a year without lessons, until there is one again", async () => {
  const school = await aSchool(service())
  const [instructor, graduate] = [await school.instructor(), await school.student()]
  const { body } = await school.client.post(`/students/${graduate.id}/link`)
  const path = `/${body.url.slice(service().url.length)}`
  const status = async () => (await new Client(service()).get(path)).status
  const today = Date.now()
  const lessonOn = (days: number, more: object = { student_id: graduate.id }) => {
    const date = new Date(today + days * 86_400_000).toISOString().slice(0, 10)
    const times = { start_at: `${date} 08:00`, end_at: `${date} 09:30` }
    return school.lesson({ instructor_id: instructor.id, ...times, ...more })
  }
  expect(await status()).toBe(200)
  await sql`update links set created_at = now() - interval '7 months'
    where tenant_id = ${school.tenantId} and student_id = ${graduate.id}`.execute(service().db)
  expect(await status()).toBe(404)
  await lessonOn(-200)
  expect(await status()).toBe(404)
  const lesson_type_id = school.lessonTypes.THEORY_BASIC
  const { id } = await lessonOn(-90, { lesson_type_id, attendees: [{ student_id: graduate.id }] })
  expect(await status()).toBe(200)
  await school.client.delete(`/appointments/${id}`)
  expect(await status()).toBe(404)
  await lessonOn(-100)
  expect(await status()).toBe(200)
})
