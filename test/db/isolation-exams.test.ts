import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { ListedStudent } from '../../src/contract/student.ts'
import { aLife, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()

it('readiness for the exam ignores exams and lesson types of twin schools', async () => {
  const { school, ids } = await aLife(service())
  const { client, tenantId, lessonTypes } = school
  const { db } = service()
  const exam = lessonTypes.PRACTICAL_EXAM ?? ''
  // A lesson with a result, as an older release stored it, of a type that is an exam only in the twins.
  await sql`update appointments set exam_result = '{"note": null, "passed": false}'
    where tenant_id = ${tenantId} and id = ${ids.lesson}`.execute(db)
  const readiness = async () => {
    const { body } = await client.get('/students?with=readiness')
    return (body as readonly ListedStudent[]).map(({ id, readiness }) => ({ id, readiness }))
  }
  const before = await readiness()
  expect(before.find(({ id }) => id === ids.student)?.readiness?.earliest_date).toBeNull()
  await sql`update lesson_types set category = 'practical_exam'
    where tenant_id = ${await plantTwin(service(), tenantId, WORD)} and id = ${ids.lessonType}`.execute(db)
  await sql`update appointments set lesson_type_id = ${exam}
    where tenant_id = ${await plantTwin(service(), tenantId, WORD, 'ffffffff')} and id = ${ids.lesson}`.execute(
    db,
  )
  expect(await readiness()).toEqual(before)
})
