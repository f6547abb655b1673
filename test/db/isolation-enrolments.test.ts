import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import {
  findEnrolment,
  findTemplate,
  insertEnrolments,
  isEnrolmentUsed,
  listEnrolments,
  listValidTemplates,
  lockEnrolmentsOf,
  setEnrolmentsDeleted,
} from '../../src/db/students/enrolments.ts'
import { listRowIdsOf, listStudentsOfRows } from '../../src/db/students/rows-of-students.ts'
import { listStudentsWithEnrolments } from '../../src/db/students/students.ts'
import { aLife, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anActor, type Row } from '../support/factory.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()

it('statements about enrolments ignore and leave alone the rows of twin schools with the same ids', async () => {
  const { school, ids } = await aLife(service())
  const { tenantId, client } = school
  const { db } = service()
  const actor = await anActor(service(), tenantId)
  const templates = must(200, await client.get('/license-class-templates'))
  const templateOf = (code: string) => templates.find((one: Row) => one.code === code).id
  const { id: student_id } = await school.student({ license_class_template_id: templateOf('B') })
  const enrolled = { template_id: templateOf('A1'), prior_classes: [{ license_class: 'AM' }] }
  const { id } = must(201, await client.post(`/students/${student_id}/enrolments`, enrolled))
  const gone = must(
    201,
    await client.post(`/students/${student_id}/enrolments`, { template_id: templateOf('BE') }),
  )
  must(204, await client.delete(`/enrolments/${gone.id}`))
  const unused = { id, student_id, license_class: 'A1', is_current: true }
  const reads = async () => ({
    found: await findEnrolment(db, tenantId, id),
    seen: await findEnrolment(db, tenantId, id, { own: ids.instructor, withPreferring: true }),
    gone: await findEnrolment(db, tenantId, gone.id),
    listed: (await listEnrolments(db, tenantId, student_id).whole())?.json,
    open: (await listStudentsWithEnrolments(db, tenantId).whole())?.json,
    locked: await inTransaction(db, (within) => lockEnrolmentsOf(within, tenantId, [student_id])),
    students: await listStudentsOfRows(db, tenantId, 'enrolments', [id]),
    ids: (await listRowIdsOf(db, tenantId, 'enrolments', student_id)).toSorted(),
    template: await findTemplate(db, tenantId, enrolled.template_id),
    valid: await listValidTemplates(db, tenantId, { id: enrolled.template_id, day: '2026-05-04' }),
    used: await isEnrolmentUsed(db, tenantId, unused),
    progress: must(200, await client.get(`/students/${student_id}/progress`)),
  })
  const before = await reads()
  const twins: string[] = []
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service(), tenantId, WORD, side)
    twins.push(twin)
    // In the twins the deleted one stands, other classes are held, templates end, and a lesson and a balance belong to the student.
    await sql`update enrolments set deleted_at = null, is_current = false where tenant_id = ${twin} and id = ${gone.id}`.execute(
      db,
    )
    await sql`update enrolments set prior_classes = '[{"license_class":"B","since":null}]' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update enrolments set credits = '[{"lesson_type_id":null,"units":1,"date":"2026-01-31","school":"x"}]'
      where tenant_id = ${twin}`.execute(db)
    await sql`update license_class_templates set valid_to = '2020-01-31', code = code || 'x' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update appointments set student_id = ${student_id}, license_class = 'A1', attendees = '[]', seats = null
      where tenant_id = ${twin} and id = ${ids.movingLesson}`.execute(db)
    await sql`update students set opening_balance = '[{"lesson_type_id":null,"units":1,"date":"2026-01-31","source":"x"}]'
      where tenant_id = ${twin} and id = ${student_id}`.execute(db)
  }
  expect(await reads()).toEqual(before)
  const untouched = async () => Promise.all(twins.map((twin) => everythingOf(service(), twin)))
  const rows = await untouched()
  const { id: other } = await school.student()
  await inTransaction(db, async (within) => {
    const [current] = (await lockEnrolmentsOf(within, tenantId, [student_id])).filter((one) => one.id === id)
    if (current) await setEnrolmentsDeleted(within, actor, [current], true)
    const begun = {
      id: newId(),
      student_id: other,
      template_id: enrolled.template_id,
      prior_classes: null,
      credits: [],
    }
    await insertEnrolments(within, actor, [begun], '2026-05-04')
  })
  expect(await untouched()).toEqual(rows)
  expect(await listRowIdsOf(db, tenantId, 'enrolments', other)).toHaveLength(1)
  const begunRow = must(200, await client.get(`/students/${other}/enrolments`))
  expect(begunRow).toMatchObject([{ license_class: 'A1' }])
})
