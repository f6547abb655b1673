import { sql } from 'kysely'
import { NIL } from 'uuid'
import { expect, it } from 'vitest'
import { fillLessonEnrolments } from '../../src/db/migrations/0110-enrolments-of-lessons.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { anEnrolmentOffice } from '../support/enrolment-office.ts'
import type { Row } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()

it('lessons of an older release count by their class until they get the enrolment of their day', async () => {
  const { school, lena, enrolments, enrol, drive, change } = await anEnrolmentOffice(service())
  const { db } = service()
  const { client, lessonTypes, tenantId } = school
  const student = await lena()
  const [b] = (await enrolments(student)) as [Row]
  const done = { status: 'completed' }
  const lessons = {
    before: await drive(student, '2030-04-20', done),
    coming: await drive(student, '2030-05-20'),
    theory: await drive(student, '2030-04-22', { ...done, lesson_type_id: lessonTypes.THEORY_BASIC }),
    other: await drive(student, '2030-04-23', { ...done, student_id: (await lena('A1')).id }),
    nobody: await drive(student, '2030-05-21', { student_id: null }),
    group: await drive(student, '2030-05-22', {
      student_id: undefined,
      attendees: [{ student_id: student.id }],
      lesson_type_id: lessonTypes.THEORY_BASIC,
      ...at('18:00', '19:30', '2030-05-22'),
    }),
  }
  const read = async ({ id }: Row) => must(200, await client.get(`/appointments/${id}`))
  const progress = async () => must(200, await client.get(`/students/${student.id}/progress`))
  const expected = await Promise.all(Object.values(lessons).map(read))
  const counted = await progress()
  await sql`update appointments set enrolment_id = ${NIL}::uuid, attendees = case when attendees = '[]' then attendees
    else (select jsonb_agg(entry - 'enrolment_id') from jsonb_array_elements(attendees) entry) end
    where tenant_id = ${tenantId}`.execute(db)
  expect(
    (await findingsInSchool(db, tenantId)).filter(({ code }) => code === 'reference_to_nothing'),
  ).toEqual([])
  expect((await read(lessons.before)).enrolment_id).toBeNull()
  expect(await progress()).toEqual(counted)
  must(200, await client.patch(`/appointments/${lessons.before.id}`, { notes: 'Gut' }))
  const moved = must(
    200,
    await client.patch(`/appointments/${lessons.coming.id}`, { pickup_place: 'Bahnhof' }),
  )
  expect(moved.license_class).toBe('B')
  // A process of the older release may have written it while the student has had another class since.
  await sql`update appointments set license_class = 'A1'
    where tenant_id = ${tenantId} and id = ${lessons.coming.id}`.execute(db)
  const a1 = must(201, await enrol(student, 'A1'))
  await fillLessonEnrolments(db, tenantId)
  await fillLessonEnrolments(db, tenantId)
  const found = await Promise.all(Object.values(lessons).map(read))
  expect(found.map(({ enrolment_id }) => enrolment_id)).toEqual([
    b.id,
    a1.id,
    // Theory has no class, and nobody trained on that day: it goes to the current one.
    a1.id,
    ...expected.slice(3).map(({ enrolment_id }) => enrolment_id),
  ])
  expect(found.at(-1)?.attendees).toEqual([{ attended: null, student_id: student.id, enrolment_id: a1.id }])
  const { rows } =
    await sql`select id from appointments where tenant_id = ${tenantId} and enrolment_id = ${NIL}::uuid`.execute(
      db,
    )
  expect(rows).toEqual([])
  must(200, await change(b, { note: 'x' }))
})
