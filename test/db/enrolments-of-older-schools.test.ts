// @module-tag embedded: a migration is plain statements

import { sql } from 'kysely'
import { NIL } from 'uuid'
import { expect, it } from 'vitest'
import { fillEnrolments } from '../../src/db/migrations/0104-enrolments.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()

it('students of an older school get an enrolment from their first lesson on, else from their own day', async () => {
  service().setClock(new Date('2030-05-01T06:00:00Z'))
  const school = await aSchool(service())
  const { db } = service()
  const templates = must(200, await school.client.get('/license-class-templates'))
  const license_class_template_id = templates.find(({ code }: Row) => code === 'B').id
  const people = {
    driven: await school.student({ license_class_template_id }),
    grouped: await school.student({ license_class_template_id }),
    new: await school.student({ license_class_template_id }),
    none: await school.student(),
    gone: await school.student({ license_class_template_id }),
  }
  const { id: instructor_id } = await school.instructor()
  const drive = (day: string, fields: object) =>
    school.lesson({
      instructor_id,
      lesson_type_id: school.lessonTypes.RURAL,
      ...at('10:00', '11:30', day),
      ...fields,
    })
  const student_id = people.driven.id
  await drive('2030-03-01', { student_id, status: 'cancelled' })
  await drive('2030-03-02', { student_id, status: 'completed' })
  await drive('2030-06-03', { student_id })
  const attendees = [{ student_id: people.grouped.id }, { student_id }]
  await drive('2030-04-02', { attendees, lesson_type_id: school.lessonTypes.THEORY_BASIC })
  must(204, await school.client.delete(`/students/${people.gone.id}`))
  await sql`update students set created_at = '2030-01-31T23:30Z' where tenant_id = ${school.tenantId}`.execute(
    db,
  )
  await sql`update appointments set enrolment_id = ${NIL}::uuid where tenant_id = ${school.tenantId}`.execute(
    db,
  )
  await sql`delete from enrolments where tenant_id = ${school.tenantId}`.execute(db)
  expect((await findingsInSchool(db, school.tenantId)).map(({ code }) => code)).toContain(
    'class_not_enrolled',
  )
  await fillEnrolments(db, school.tenantId)
  const [first] = must(200, await school.client.get(`/students/${student_id}/enrolments`))
  await fillEnrolments(db, school.tenantId)
  const begins = async ({ id }: Row) =>
    must(200, await school.client.get(`/students/${id}/enrolments`)).map(({ begins_on }: Row) => begins_on)
  expect(first).toMatchObject({
    template_id: license_class_template_id,
    license_class: 'B',
    is_current: true,
    version: 1,
  })
  expect(await begins(people.driven)).toEqual(['2030-03-02'])
  expect(await begins(people.grouped)).toEqual(['2030-04-02'])
  expect(await begins(people.new)).toEqual(['2030-02-01'])
  expect(await begins(people.none)).toEqual([])
  must(200, await school.client.post(`/students/${people.gone.id}/restore`))
  expect(await begins(people.gone)).toEqual(['2030-02-01'])
  // The log still tells of the enrolments that the test has deleted, and that lessons had; that of an older school knows none.
  const findings = await findingsInSchool(db, school.tenantId)
  expect(findings.filter(({ code }) => code !== 'row_missing' && code !== 'history_differs')).toEqual([])
})
