import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { requireAgendas } from '../../src/db/calendars/agendas.ts'
import { aLife, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { anActor } from '../support/factory.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()

it('the requirement and the lessons of a student ignore lesson types of twin schools', async () => {
  const { school, ids } = await aLife(service())
  const { tenantId, lessonTypes } = school
  const { db } = service()
  const { RURAL = '', MOTORWAY = '' } = lessonTypes
  const actor = await anActor(service(), tenantId)
  const question = {
    lesson: { student_id: ids.student },
    instructor_ids: [ids.other],
    range: { start: 0, end: 1 },
  }
  const learners = async () =>
    Promise.all(
      [RURAL, MOTORWAY].map(
        async (lesson_type_id) => (await requireAgendas(db, actor, { ...question, lesson_type_id })).learner,
      ),
    )
  const before = await learners()
  expect(before[0]?.requirement).toBeDefined()
  // In the twins, the two types count toward each other's requirement, and the student is in a group.
  const attendees = JSON.stringify([{ student_id: ids.student }])
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service(), tenantId, WORD, side)
    await sql`update appointments set student_id = null, seats = 9, attendees = ${attendees}, lesson_type_id = ${RURAL}
      where tenant_id = ${twin} and id = ${ids.movingLesson}`.execute(db)
    await sql`update lesson_types type set requirement_key = other.requirement_key from lesson_types other
      where type.tenant_id = ${twin} and other.tenant_id = type.tenant_id
        and (type.id, other.id) in ((${RURAL}, ${MOTORWAY}), (${MOTORWAY}, ${RURAL}))`.execute(db)
  }
  expect(await learners()).toEqual(before)
  // A row that has been written again comes after those of the twins.
  await sql`update lesson_types set color = color where tenant_id = ${tenantId}`.execute(db)
  expect(await learners()).toEqual(before)
})
