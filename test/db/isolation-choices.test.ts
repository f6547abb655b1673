import { sql } from 'kysely'
import { NIL } from 'uuid'
import { expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import {
  listAffectedAppointments,
  readTaughtLessonTypes,
} from '../../src/db/appointments/affected-appointments.ts'
import { loadCancellationAssessment } from '../../src/db/appointments/cancellation-assessment.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { listGapCandidates } from '../../src/db/offers/gap-candidates.ts'
import { findHome } from '../../src/db/school/instructors.ts'
import { listLinksWithoutWish } from '../../src/db/students/answered-wishes.ts'
import { listLinked, listUncancelledLessons } from '../../src/db/students/student-sets.ts'
import { aLife, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { CANARY } from '../support/canary.ts'
import { must } from '../support/client.ts'
import { anActor } from '../support/factory.ts'
import { theoryOf } from '../support/group-office.ts'
import { plantTwin, sorted } from '../support/twin.ts'

const service = useService()
/** The id of an instructor that only the twins have. */
const ELSEWHERE = newId()
const MONDAY = '2031-03-10'
const POLICY = [{ categories: ['practical'], notice: { working_days: 3 }, fee_percent: 50 }]
const MARCH = { from: '2031-03-01 00:00', to: '2031-04-01 00:00' } as const

/** Makes a school with a student who waits for a lesson, a lesson, a group and a withdrawn wish of another, and a car. */
async function anOffice() {
  const { school, ids } = await aLife(service())
  const { client, lessonTypes } = school
  const { unrelated, student, other } = ids
  const templates: readonly { id: string; code: string }[] = (await client.get('/license-class-templates'))
    .body
  const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
  must(200, await client.patch(`/students/${unrelated}`, { license_class_template_id }))
  const lesson = { instructor_id: other, lesson_type_id: lessonTypes.PRACTICE, student_id: student }
  const { id: lent } = must(201, await client.post('/appointments', { ...lesson, ...on('18') }))
  const group = { instructor_id: other, lesson_type_id: theoryOf(school), seats: 9 }
  const attendees = [{ student_id: student }]
  must(201, await client.post('/appointments', { ...group, attendees, ...on('17') }))
  must(200, await client.patch(`/instructors/${other}`, { license_classes: ['B'] }))
  const { id: wish } = must(201, await client.post(`/students/${student}/wishes`, { minutes: 45 }))
  must(204, await client.delete(`/students/${student}/wishes/${wish}`))
  const { db } = service()
  await sql`update offer_links set wish_id = ${wish} where tenant_id = ${school.tenantId}`.execute(db)
  await sql`update offers set state = 'withdrawn' where tenant_id = ${school.tenantId}`.execute(db)
  const { id: polo } = must(201, await client.post('/vehicles', { name: 'Polo', kind: 'car' }))
  must(201, await client.post(`/students/${ids.moving}/wishes`, { minutes: 45 }))
  must(200, await client.put(`/students/${ids.moving}/availability/${MONDAY}`, { lessons: 1, windows: null }))
  return { school, ids: { ...ids, lent: lent as string, polo: polo as string } }
}

type Office = Awaited<ReturnType<typeof anOffice>>

/**
 * Makes the twin differ: the waiting student has the lesson, practice is theory, the
 * vehicle is a motorcycle, offers are open, and there is one more instructor.
 */
async function differ(twin: string, { school, ids }: Office): Promise<void> {
  const { db } = service()
  const inTwin = sql`where tenant_id = ${twin} and`
  await sql`update students set deleted_at = null ${inTwin} true`.execute(db)
  await sql`update appointments set student_id = ${ids.unrelated} ${inTwin} id = ${ids.lent}`.execute(db)
  await sql`update lesson_types set category = 'theory' ${inTwin} id = ${school.lessonTypes.PRACTICE}`.execute(
    db,
  )
  await sql`update offers set state = 'open' ${inTwin} true`.execute(db)
  await sql`update vehicles set kind = 'motorcycle' ${inTwin} id = ${ids.polo}`.execute(db)
  await sql`insert into calendars (tenant_id, id, kind) values (${twin}, ${ELSEWHERE}, 'instructor')`.execute(
    db,
  )
  const more = JSON.stringify({ id: ELSEWHERE, location_id: ids.location })
  await sql`insert into instructors select (jsonb_populate_record(one, ${more}::jsonb)).* from instructors one
    ${inTwin} id = ${ids.other}`.execute(db)
}

async function choicesOf({ school: { tenantId, client, lessonTypes }, ids }: Office): Promise<object> {
  const { db } = service()
  const { tenant } = await anActor(service(), tenantId)
  const people = { instructor_id: ids.other, classes: ['B', CANARY], after: NIL, limit: 100 }
  const time = {
    ...MARCH,
    now: MARCH.from,
    zone: tenant.timezone,
    today: '2031-03-01',
    moment: new Date(),
  } as const
  const gap = { day: MONDAY, week_start: MONDAY, weekday: 1, minutes: 90 } as const
  const assess = await loadCancellationAssessment(db, {
    ...tenant,
    cancellation_policy: POLICY,
  } as typeof tenant)
  const lesson = { start_at: `${MONDAY} 08:00`, lesson_type_id: lessonTypes.PRACTICE ?? '' } as const
  const cancelledAt = (at: string) =>
    assess(lesson, { by: 'student', reason: null, note: null, charge: null, at: new Date(at) })
  return {
    candidates: await listGapCandidates(db, { tenantId, ...people, ...time, ...gap }),
    home: await findHome(db, tenantId, ELSEWHERE),
    affected: await listAffectedAppointments(db, tenantId, {
      instructor_id: ids.other,
      start_at: MARCH.from,
      end_at: MARCH.to,
    }),
    taught: await readTaughtLessonTypes(db, tenantId),
    linked: await listLinked(db, tenantId, [ids.student]),
    withoutWish: await inTransaction(db, (within) => listLinksWithoutWish(within, tenantId, [ids.student])),
    lessons: sorted(await listUncancelledLessons(db, tenantId, [ids.student, ids.unrelated])),
    inTime: cancelledAt('2031-03-03T10:00Z'),
    late: cancelledAt('2031-03-09T10:00Z'),
    slots: (
      await client.get(
        `/slots?from=${MONDAY}&to=${MONDAY}&minutes=90&vehicle=any&vehicle_kind=motorcycle&limit=200`,
      )
    ).text,
  }
}

it('candidates, cancellations and free times are unchanged by twin schools with the same ids', async () => {
  const office = await anOffice()
  const before = await choicesOf(office)
  expect(before).toMatchObject({
    home: null,
    withoutWish: [],
    inTime: { is_late: false },
    late: { is_late: true },
    candidates: expect.arrayContaining([expect.objectContaining({ student_id: office.ids.unrelated })]),
  })
  for (const side of ['00000000', 'ffffffff'] as const) {
    await differ(await plantTwin(service(), office.school.tenantId, WORD, side), office)
  }
  expect(await choicesOf(office)).toEqual(before)
})
