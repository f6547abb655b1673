import { beforeEach, expect, it } from 'vitest'
import { mayUserSign } from '../../src/db/accounts/users.ts'
import { listRowIdsOf } from '../../src/db/students/rows-of-students.ts'
import {
  findSignedDocument,
  listCompletedLessons,
  listEndedEnrolments,
  listLessonSignatures,
  listRecordSignatures,
  listSignedEnrolments,
} from '../../src/db/students/signatures.ts'
import { WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aDrive, sign } from '../support/signing.ts'
import { templateOf } from '../support/trainer.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
let school: School
let student: Row
let lesson: Row
let enrolment: Row

beforeEach(async () => {
  school = await aSchool(service())
  student = await school.student({ license_class_template_id: await templateOf(school, 'B') })
  lesson = await aDrive(school, { instructor_id: (await school.instructor()).id, student_id: student.id })
  enrolment = (must(200, await school.client.get(`/students/${student.id}/enrolments`)) as Row[])[0] as Row
})

async function plantTwins(): Promise<void> {
  for (const side of ['00000000', 'ffffffff'] as const)
    await plantTwin(service(), school.tenantId, WORD, side)
}

it('the signatures of lessons and records are those of their own school', async () => {
  const path = `/enrolments/${enrolment.id}`
  const begun = { begins_on: '2026-05-01', practice_ended_on: '2026-05-05' }
  must(200, await school.client.patch(path, begun))
  must(201, await sign(school, lesson))
  const { digest } = must(200, await school.client.get(`${path}/record`))
  const given = { as: 'school', digest, name: 'Anna Nord', strokes: null }
  must(201, await school.client.post(`${path}/signatures`, given))
  const { db } = service()
  const { tenantId } = school
  const read = async () => ({
    ofLesson: await listLessonSignatures(db, tenantId, [lesson.id]),
    ofRecord: await listRecordSignatures(db, tenantId, enrolment.id),
    inRecord: must(200, await school.client.get(`${path}/record`)).signatures,
    lessons: await listCompletedLessons(db, tenantId, { ids: [student.id], from: '2026-01-01' }, {}),
    own: await listCompletedLessons(
      db,
      tenantId,
      { ids: [student.id], from: '2026-01-01' },
      { own: String(lesson.instructor_id), withPreferring: true },
    ),
    ended: await listEndedEnrolments(db, tenantId, [student.id]),
    document: await findSignedDocument(db, tenantId, { enrolment_id: enrolment.id, digest }),
    ids: (await listRowIdsOf(db, tenantId, 'signatures', student.id)).toSorted(),
  })
  const before = await read()
  expect(before).toMatchObject({
    ofLesson: [{ as: 'student' }],
    ofRecord: [{ as: 'school' }],
    inRecord: [{ state: 'valid' }],
  })
  expect(before.ids).toHaveLength(2)
  expect(before).toMatchObject({
    ...{ lessons: [{ id: lesson.id }], own: [{ id: lesson.id }] },
    ended: [{ id: enrolment.id, student_id: student.id }],
  })
  await plantTwins()
  await db
    .updateTable('signatures')
    .set({ digest, document: '{}' })
    .where('tenant_id', '<>', tenantId)
    .where('enrolment_id', '=', enrolment.id)
    .execute()
  expect(await read()).toEqual(before)
})

it('what another school has signed under the same ids is signed in no other', async () => {
  await plantTwins()
  const { db } = service()
  const { tenantId } = school
  const rows = await db
    .selectFrom('enrolments')
    .select(['tenant_id', 'id', 'student_id'])
    .where('id', '=', enrolment.id)
    .where('tenant_id', '<>', tenantId)
    .execute()
  for (const { tenant_id, id: enrolment_id, student_id } of rows) {
    const row = {
      tenant_id,
      student_id,
      as: 'school',
      name: 'Nord',
      digest: 'sha256:0',
      document: '{}',
    } as const
    const by = { actor_kind: 'user', actor_name: 'Nord', at: new Date() } as const
    const ids = { id: crypto.randomUUID(), enrolment_id, appointment_id: null }
    await db
      .insertInto('signatures')
      .values({ ...row, ...by, ...ids, strokes: null })
      .execute()
  }
  expect(rows).toHaveLength(2)
  expect(await listSignedEnrolments(db, tenantId, [enrolment.id])).toEqual([])
  expect(await listRecordSignatures(db, tenantId, enrolment.id)).toEqual([])
  must(204, await school.client.delete(`/appointments/${lesson.id}`))
  must(204, await school.client.delete(`/enrolments/${enrolment.id}`))
})

it('whether a user may sign is asked in the own school only', async () => {
  const { id } = school.user
  const { db } = service()
  await db.updateTable('users').set({ may_sign: true }).where('id', '=', id).execute()
  expect(await mayUserSign(db, school.tenantId, id)).toBe(true)
  expect(await mayUserSign(db, (await aSchool(service())).tenantId, id)).toBe(false)
})
