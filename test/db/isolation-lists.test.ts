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
import { isSetUndone, listChangesSince } from '../../src/db/log/change-sets.ts'
import { lessonsAbout, lessonsLeft } from '../../src/db/log/changes.ts'
import { claimCauses } from '../../src/db/messages/message-facts.ts'
import { listGapCandidates } from '../../src/db/offers/gap-candidates.ts'
import { findOffer, listOfferRecipients } from '../../src/db/offers/offers.ts'
import { findHome } from '../../src/db/school/instructors.ts'
import { readLicenseClasses } from '../../src/db/school/license-class-templates.ts'
import { oneSidedTravelTimes, readTravelTimes } from '../../src/db/school/locations.ts'
import { readVehicleIdentities, readVehicleRules } from '../../src/db/school/vehicles.ts'
import { listLinksWithoutWish } from '../../src/db/students/answered-wishes.ts'
import { availabilityIn, availabilityOf, findAvailability } from '../../src/db/students/availability.ts'
import { isEndedBy } from '../../src/db/students/enrolments.ts'
import { readOpeningBalances } from '../../src/db/students/opening-balances.ts'
import { findPersonalData } from '../../src/db/students/personal-data.ts'
import { listPersonalTexts } from '../../src/db/students/personal-texts.ts'
import { listLinked, listUncancelledLessons } from '../../src/db/students/student-sets.ts'
import { readComingClasses, readOwnClasses } from '../../src/db/students/topics.ts'
import { countWishes, listWishes, listWishesOf } from '../../src/db/students/wishes.ts'
import { findSealedSecret } from '../../src/db/webhooks/webhooks.ts'
import { readRuleTimes } from '../../src/doctor/week.ts'
import type { LocalDateTime } from '../../src/domain/local-time.ts'
import { aLife, type Life, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { CANARY } from '../support/canary.ts'
import { must } from '../support/client.ts'
import { findingsIn } from '../support/doctor.ts'
import { anActor } from '../support/factory.ts'
import { theoryOf } from '../support/group-office.ts'
import { plantTwins, sorted } from '../support/twin.ts'

const service = useService()

const WEEK = '2031-03-03'
/** An id of a set, a vehicle, a webhook and an instructor that only the twins have. */
const ELSEWHERE = newId()

/** An enrolment, the set that has ended it, and one that has written a lesson. In the twins each has written both. */
const [ENDED, ENDING, OTHER] = [newId(), newId(), newId()]

/** A text that in the twins is the name of a student, and in the school is not. */
const NAMED = `${WORD} ${WORD}`

/** Makes a school with an offer for a wish, two branches, and a student whose name only the texts of the twins contain. */
async function aListedOffice() {
  const life = await aLife(service())
  const { client, tenantId } = life.school
  const { student, location } = life.ids
  const lessons = await lessonsOf(life)
  await writeTexts(life, lessons.lent)
  const { id: branch } = must(201, await client.post('/locations', { name: 'Nord' }))
  must(200, await client.patch(`/locations/${branch}`, { travel_minutes: { [location]: 20 } }))
  const { id: named } = await life.school.student({ first_name: CANARY, last_name: CANARY })
  must(201, await client.post(`/students/${student}/wishes`, { minutes: 45 }))
  must(200, await client.put(`/students/${student}/availability/${WEEK}`, { lessons: 1, windows: null }))
  const [wish] = (await client.get(`/students/${student}/wishes`)).body
  const [offer] = (await client.get('/offers')).body
  await sql`update offer_links set wish_id = ${wish.id} where tenant_id = ${tenantId}`.execute(service().db)
  const ids = { ...life.ids, ...lessons, branch, named, wish: wish.id as string, offer: offer.id as string }
  return { school: life.school, ids }
}

/** Books groups with and without the student, and a lesson that another student took over and gave back. */
async function lessonsOf({ school, ids: { student, other, unrelated } }: Life) {
  const { client } = school
  must(200, await client.patch('/tenant', { messages: { booked: true } }))
  must(200, await client.patch(`/students/${student}`, { messages_consent: true }))
  const group = { lesson_type_id: theoryOf(school), topic: 'Thema 1', seats: 9, attendees: [] }
  const book = async (fields: object) =>
    must(201, await client.post('/appointments', { instructor_id: other, ...fields })).id as string
  await book({ ...group, attendees: [{ student_id: student }], ...on('17', '10:00', '11:30') })
  const free = await book({ ...group, ...on('17', '12:00', '13:30') })
  const orphaned = await book({ ...group, ...on('17', '14:00', '15:30') })
  const lent = await book({
    lesson_type_id: school.lessonTypes.PRACTICAL_EXAM,
    student_id: student,
    ...on('18'),
  })
  for (const student_id of [unrelated, student]) {
    must(200, await client.patch(`/appointments/${lent}`, { student_id }))
  }
  return { free, orphaned, lent }
}

async function writeTexts({ school: { client }, ids: { instructor } }: Life, lesson: string): Promise<void> {
  const absences = [{ start_at: '2031-05-01 08:00', end_at: '2031-05-02 08:00', note: NAMED }]
  const vacations = [{ start_date: '2031-12-24', end_date: '2031-12-26', note: NAMED }]
  must(200, await client.patch(`/instructors/${instructor}`, { absences, vacations }))
  must(201, await client.post('/vehicles', { name: 'Polo', kind: 'car', notes: NAMED }))
  const exam_result = { passed: false, note: NAMED }
  must(200, await client.patch(`/appointments/${lesson}`, { notes: NAMED, exam_result }))
}

type ListedOffice = Awaited<ReturnType<typeof aListedOffice>>

/** Damages the school: a way has no way back, an attendee is deleted, and a calendar belongs to no vehicle. */
async function damage({ school: { tenantId }, ids }: ListedOffice): Promise<void> {
  const { db } = service()
  const inSchool = sql`where tenant_id = ${tenantId} and`
  await sql`update locations set travel_minutes = '{}' ${inSchool} id = ${ids.location}`.execute(db)
  await sql`update students set deleted_at = now() ${inSchool} id = ${ids.moving}`.execute(db)
  await sql`update appointments set attendees = ${JSON.stringify([{ student_id: ids.moving }])}
    ${inSchool} id = ${ids.orphaned}`.execute(db)
  await sql`insert into calendars (tenant_id, id, kind) values (${tenantId}, ${ELSEWHERE}, 'vehicle')`.execute(
    db,
  )
  await logLike(tenantId, ids.lent, { id: newId(), set_id: OTHER })
  await logLike(tenantId, ids.lent, { ...ENDED_NOW, id: newId(), set_id: ENDING })
}

const ENDED_NOW = { resource: 'enrolment', resource_id: ENDED, after: { outcome: 'passed' } }

/** Adds a change to the log of a school, with other fields than one about a lesson. */
async function logLike(tenantId: string, lesson: string, fields: object): Promise<void> {
  await sql`insert into changes
    select (jsonb_populate_record(one, ${JSON.stringify(fields)}::jsonb)).* from changes one
    where tenant_id = ${tenantId} and resource_id = ${lesson} limit 1`.execute(service().db)
}

/**
 * Makes the twin differInLists: its way has a way back, it has one more vehicle and webhook, has undone a set, withdrawn a wish and given up a mail,
 * and others of its students are deleted and have lessons.
 */
async function differInLists(twin: string, { school, ids }: ListedOffice): Promise<void> {
  const { db } = service()
  const inTwin = sql`where tenant_id = ${twin} and`
  await sql`update locations set travel_minutes = ${JSON.stringify({ [ids.branch]: 20 })} ${inTwin} id = ${ids.location}`.execute(
    db,
  )
  for (const table of ['vehicles', 'webhooks']) {
    await sql`insert into ${sql.table(table)}
      select (jsonb_populate_record(one, ${JSON.stringify({ id: ELSEWHERE })}::jsonb)).* from ${sql.table(table)} one
      where tenant_id = ${twin} limit 1`.execute(db)
  }
  await logLike(twin, ids.lent, { id: newId(), undoes: ELSEWHERE })
  await logLike(twin, ids.lent, { id: newId(), set_id: ENDING })
  await logLike(twin, ids.lent, { ...ENDED_NOW, id: newId(), set_id: OTHER, at: '2100-01-01' })
  await sql`update students set deleted_at = case id when ${ids.moving} then now() end
    ${inTwin} id in (${ids.student}, ${ids.unrelated}, ${ids.moving})`.execute(db)
  await sql`insert into mails (tenant_id, id, to_address, to_name, template, state, next_attempt_at, worth_until, finished_at)
    values (${twin}, ${newId()}, ${school.user.email}, 'x', 'password_reset', 'given_up', now(), now(), now())`.execute(
    db,
  )
  await sql`update wishes set deleted_at = now() ${inTwin} id = ${ids.wish}`.execute(db)
  await sql`update appointments set attendees = ${JSON.stringify([{ student_id: ids.student }])}
    ${inTwin} id = ${ids.free}`.execute(db)
  await sql`update appointments set student_id = ${ids.unrelated} ${inTwin} id = ${ids.lent}`.execute(db)
}

/** Reads each part of the school's data by the function that reads it. */
async function listsOf({ school: { tenantId, client }, ids }: ListedOffice): Promise<object> {
  const { db } = service()
  const actor = await anActor(service(), tenantId)
  const { student } = ids
  const now = '2031-03-01 00:00' as LocalDateTime
  const rows = { student_id: student, today: '2031-03-01' }
  const named = await findPersonalData(db, actor.tenant, ids.named)
  return inTransaction(db, async (within) => ({
    counting: await readTaughtLessonTypes(within, tenantId),
    classes: [...(await readLicenseClasses(within, tenantId))].toSorted(),
    ways: sorted(await readTravelTimes(within, tenantId)),
    oneSided: sorted((await oneSidedTravelTimes(tenantId).execute(within)).rows),
    isUndone: await isSetUndone(within, tenantId, ELSEWHERE),
    since: await listChangesSince(within, tenantId, [{ resource: 'appointment', id: ids.lent, version: 1 }]),
    about: (await lessonsAbout(within, tenantId, student)).toSorted(),
    left: sorted((await lessonsLeft(tenantId, student).execute(within)).rows),
    isEnded: await isEndedBy(within, tenantId, { id: ENDED, appointment_id: ids.lent }),
    offer: await findOffer(within, tenantId, ids.offer),
    recipients: await listOfferRecipients(within, actor, [student, ids.unrelated]),
    balances: await readOpeningBalances(within, tenantId, [student]),
    calendars: sorted(named.calendarIds),
    texts: sorted(await listPersonalTexts(within, tenantId, named.pattern ?? '')),
    ownClasses: await readOwnClasses(within, tenantId, student),
    comingClasses: await readComingClasses(within, tenantId, now),
    vehicles: [
      await readVehicleIdentities(within, tenantId),
      sorted(await readVehicleRules(within, tenantId)),
    ],
    secret: await findSealedSecret(within, tenantId, ELSEWHERE),
    wishes: [await countWishes(within, tenantId, rows), await listWishesOf(within, tenantId, [student])],
    week: await findAvailability(within, tenantId, { student_id: student, week_start: WEEK }),
    weeks: await availabilityIn(within, tenantId, [WEEK]),
    ownWeeks: await availabilityOf(within, tenantId, student, { from: WEEK, to: WEEK }),
    listedWishes: await listWishes(within, tenantId, student).whole(),
    users: (await client.get('/users')).text,
    ruleTimes: await readRuleTimes(within, tenantId),
    findings: sorted(await findingsIn(db, tenantId)),
  }))
}

it('lists and findings are unchanged by twin schools with the same ids', async () => {
  const office = await aListedOffice()
  const { tenantId } = office.school
  await damage(office)
  const before = await listsOf(office)
  expect(before).toMatchObject({ isUndone: false, isEnded: false, calendars: [], secret: undefined })
  expect(before).toHaveProperty('classes', expect.not.arrayContaining([CANARY]))
  await plantTwins(service(), tenantId, WORD, (twin) => differInLists(twin, office))
  expect(await listsOf(office)).toEqual(before)
  await inTransaction(service().db, async (within) => {
    const ids = (await claimCauses(within, tenantId)).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

const MONDAY = '2031-03-10'
const POLICY = [{ categories: ['practical'], notice: { working_days: 3 }, fee_percent: 50 }]
const MARCH = { from: '2031-03-01 00:00', to: '2031-04-01 00:00' } as const

/** Makes a school with a student who waits for a lesson, a lesson, a group and a withdrawn wish of another, and a car. */
async function aWaitingOffice() {
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

type WaitingOffice = Awaited<ReturnType<typeof aWaitingOffice>>

/**
 * Makes the twin differInChoices: the waiting student has the lesson, practice is theory, the
 * vehicle is a motorcycle, offers are open, and there is one more instructor.
 */
async function differInChoices(twin: string, { school, ids }: WaitingOffice): Promise<void> {
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

async function choicesOf({ school: { tenantId, client, lessonTypes }, ids }: WaitingOffice): Promise<object> {
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
  const office = await aWaitingOffice()
  const before = await choicesOf(office)
  expect(before).toMatchObject({
    home: null,
    withoutWish: [],
    inTime: { is_late: false },
    late: { is_late: true },
    candidates: expect.arrayContaining([expect.objectContaining({ student_id: office.ids.unrelated })]),
  })
  await plantTwins(service(), office.school.tenantId, WORD, (twin) => differInChoices(twin, office))
  expect(await choicesOf(office)).toEqual(before)
})
