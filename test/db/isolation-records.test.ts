import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice } from '../support/enrolment-office.ts'
import type { Row } from '../support/factory.ts'
import { at } from '../support/times.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const WORD = 'Brandt'

it('training records ignore people, lessons, types, vehicles and credits of twin schools', async () => {
  const office = await anEnrolmentOffice(service())
  const { school } = office
  const { client } = school
  const type = (code: string) => ({ lesson_type_id: school.lessonTypes[code] })
  const student = await office.lena('B197')
  const mia = await school.student({ first_name: 'Mia' })
  const [training] = (await office.enrolments(student)) as [Row]
  must(200, await office.change(training, { begins_on: '2030-03-01' }))
  const eva = await school.instructor({ last_name: WORD, license_classes: ['B'], number: '7' })
  const { id: car } = must(
    201,
    await client.post('/vehicles', { name: WORD, kind: 'car', gearbox: 'manual' }),
  )
  const lesson = (student_id: string, day: string, fields: object = {}) =>
    school.lesson({
      ...{ instructor_id: eva.id, student_id, status: 'completed', ...type('RURAL') },
      ...{ ...at('10:00', '11:30', day), ...fields },
    })
  await lesson(student.id, '2030-04-02', { vehicle_ids: [car] })
  await lesson(student.id, '2030-04-03', {
    ...{ ...type('THEORY_BASIC'), student_id: undefined, topic: 'Thema 1' },
    attendees: [{ student_id: student.id, attended: true }],
  })
  const { id: other } = await lesson(mia.id, '2030-04-04')
  const credit = { ...type('RURAL'), units: 1, date: '2030-01-31', source: WORD }
  must(200, await client.put(`/students/${student.id}/opening-balance`, [credit]))
  const period = '/records.csv?from=2030-04-01&to=2030-04-30&state=running'
  const read = async () => ({
    record: must(200, await client.get(`/enrolments/${training.id}/record`)),
    credits: must(200, await client.get(`/enrolments/${training.id}/credits`)),
    csv: (await client.get(period)).text,
    taught: (await client.get(`${period}&instructor_id=${eva.id}`)).text,
  })
  const before = await read()
  expect(before.record).toMatchObject({
    practice: [{ vehicle: WORD, gearbox: 'manual' }],
    theory: [{ topic: 'Thema 1' }],
    credits: [{ school: WORD }],
  })
  expect(before.csv.split('\r\n')).toHaveLength(5)
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service(), school.tenantId, WORD, side)
    // In the twins, the lesson of the other student overlaps, the car is automatic, and the instructor in training.
    const changes = [
      sql`update appointments set start_at = '2030-04-02 10:30', end_at = '2030-04-02 12:00',
        actual_start_at = '2030-04-02 10:30', actual_end_at = '2030-04-02 12:00'
        where tenant_id = ${twin} and id = ${other}`,
      sql`update appointments set practised = 'x', deleted_at = null where tenant_id = ${twin}`,
      sql`update vehicles set gearbox = 'automatic' where tenant_id = ${twin}`,
      sql`update instructors set is_trainee = true, number = null, license_classes = '{}' where tenant_id = ${twin}`,
      sql`update lesson_types set only_in_the_dark = true, requirement_key = null, code = code || 'x', category = 'internal'
        where tenant_id = ${twin}`,
      sql`update license_class_templates set code = code || 'x', training_years = 9 where tenant_id = ${twin}`,
      sql`update students set deleted_at = null, first_name = 'Zoe' where tenant_id = ${twin}`,
      sql`update students set opening_balance = '[]' where tenant_id = ${twin}`,
      sql`update enrolments set ends_on = null, outcome = null, deleted_at = null, is_current = false
        where tenant_id = ${twin}`,
    ]
    for (const change of changes) await change.execute(service().db)
  }
  expect(await read()).toEqual(before)
})
