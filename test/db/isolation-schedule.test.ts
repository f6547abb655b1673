import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { readFleet } from '../../src/db/appointments/fleet.ts'
import { NO_ORDER } from '../../src/db/claim-order.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import {
  type CalendarReading,
  type ClaimedCalendar,
  claimBusyCalendar,
  moveBusyTimes,
  renewBusyClaim,
  storeFailure,
  storeReading,
} from '../../src/db/school/busy-calendar-claims.ts'
import {
  countBusyCalendars,
  deleteBusyCalendarRow,
  insertBusyCalendar,
  listBusyTimes,
  listFailingCalendars,
  listWatchedInstructors,
} from '../../src/db/school/busy-calendars.ts'
import { listStudentsToPlan, readPlacesOfLessons } from '../../src/db/school/planned-students.ts'
import {
  beginPlanning,
  endPlanning,
  findPlan,
  isPlanning,
  removeFromPlans,
  renewPlanning,
} from '../../src/db/school/plans.ts'
import { MAX_OPEN_APPOINTMENTS } from '../../src/domain/ranges.ts'
import { aLife, type Life, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anActor, aSchool, type Row } from '../support/factory.ts'
import { plantTwin, plantTwins, rowsOfAll } from '../support/twin.ts'

const service = useService()

afterEach(() => service().setClock(undefined))

const NOTHING: CalendarReading = { read_for: null, etag: null, last_modified: null, digest: null, seconds: 0 }

/** Returns one busy hour on a Monday, as the database stores it. */
const hourFrom = (from: string, to: string) => `{["2031-03-03 ${from}","2031-03-03 ${to}")}`

it('busy calendars are read, listed and deleted as if alone between two schools with the same ids', async () => {
  const { db } = service()
  // The clock stands still: warnings contain the current minute.
  service().setClock(new Date('2031-02-24T10:00:00Z'))
  await db.deleteFrom('busy_calendars').execute()
  const school = await aSchool(service())
  const { client, tenantId } = school
  const { id: instructor_id } = await school.instructor()
  const actor = await anActor(service(), tenantId)
  const [kept, left] = [newId(), newId()]
  for (const id of [kept, left]) {
    const calendar = { id, instructor_id, name: 'Club', host: 'club.example', sealed: Buffer.from(id) }
    await inTransaction(db, (within) => insertBusyCalendar(within, actor, calendar))
  }
  const claim = async (): Promise<ClaimedCalendar> => {
    const claimed = await claimBusyCalendar(db, { seconds: 0, order: NO_ORDER })
    if (!claimed) throw new Error('no calendar is due')
    expect(claimed.tenant_id).toBe(tenantId)
    return claimed
  }
  const store = async (one: ClaimedCalendar, times: string) =>
    inTransaction(db, (within) => storeReading(within, one, { ...NOTHING, times }))
  for (const _ of [kept, left]) expect(await store(await claim(), hourFrom('08:00', '09:00'))).toBe(true)
  must(200, await client.patch('/tenant', { busy_calendars: 'refuse' }))
  const day = 'from=2031-03-03&to=2031-03-03&minutes=60&limit=200'
  const free = async () => must(200, await client.get(`/slots?${day}&instructor_id=${instructor_id}`))
  const freeBefore = await free()
  expect(freeBefore).not.toEqual([])
  const twins = await plantTwins(service(), tenantId, 'Club')
  await sql`update busy_times set times = ${hourFrom('12:00', '13:00')}::tsmultirange
    where tenant_id = any(${twins}::uuid[])`.execute(db)
  const everything = rowsOfAll(service(), twins)
  const before = await everything()

  const path = `/instructors/${instructor_id}/busy-calendars`
  const state = { name: 'Club', state: 'ok' }
  expect(must(200, await client.get(path))).toMatchObject([state, state])
  expect(await countBusyCalendars(db, { tenantId, instructor_id })).toBe(2)
  expect(await listFailingCalendars(db, tenantId, 14)).toEqual([])
  const watched = [{ instructor_id, is_failing: false }]
  expect(await listWatchedInstructors(db, tenantId)).toEqual(watched)
  expect(await listWatchedInstructors(db, tenantId, instructor_id)).toEqual(watched)
  expect(await free()).toEqual(freeBefore)
  const times = async () => {
    const asked = { ids: [instructor_id], from: '2031-03-03 00:00', to: '2031-03-10 00:00' }
    return (await listBusyTimes(db, tenantId, asked)).map(({ start_at }) => start_at.slice(-5))
  }
  expect(await times()).toEqual(['08:00', '08:00'])

  // At the time that the twins have already.
  expect(await store(await claim(), hourFrom('12:00', '13:00'))).toBe(true)
  expect(await times()).toEqual(['08:00', '12:00'])
  const failed = await claim()
  const failure = { failure: 'timeout', seconds: 0, keptDays: 14 } as const
  expect(await inTransaction(db, (within) => storeFailure(within, failed, failure))).toBe(true)
  expect(await listFailingCalendars(db, tenantId, 14)).toMatchObject([{ id: failed.id, failure: 'timeout' }])
  expect(await renewBusyClaim(db, await claim(), 3600)).toBe(true)
  await inTransaction(db, (within) =>
    moveBusyTimes(within, tenantId, { from: 'Europe/Berlin', to: 'Europe/Istanbul' }),
  )
  expect(await times()).toEqual(['10:00', '14:00'])
  const row = { instructor_id, id: left }
  expect(await inTransaction(db, (within) => deleteBusyCalendarRow(within, actor, row))).toBe(true)
  expect(await everything()).toEqual(before)
})

const NAME = 'Zwilling'

it('the usual vehicles of lessons are unchanged by twin schools with the same ids', async () => {
  const school = await aSchool(service())
  const vehicle = async (kind: string): Promise<Row> =>
    must(201, await school.client.post('/vehicles', { name: kind, kind }))
  const [car, trailer] = [await vehicle('car'), await vehicle('trailer')]
  const templates: Row[] = must(200, await school.client.get('/license-class-templates'))
  const [b, be] = ['B', 'BE'].map((code) => templates.find((one) => one.code === code)?.id)
  const driver = await school.instructor({ usual_vehicle_id: car.id })
  const walker = await school.instructor()
  const [lena, mia] = [
    await school.student({ license_class_template_id: b }),
    await school.student({ license_class_template_id: be }),
  ]
  const { PRACTICE = '', INTERNAL = '' } = school.lessonTypes
  const { db } = service()
  const usual = async () => {
    const fleet = await readFleet(db, school.tenantId, [lena.id, mia.id, null])
    return [driver, walker].flatMap((instructor) =>
      [PRACTICE, INTERNAL].flatMap((lesson_type_id) =>
        [lena, mia].map((student) =>
          fleet.vehiclesFor({ instructor_id: instructor.id, lesson_type_id, student_id: student.id }),
        ),
      ),
    )
  }
  const both = [car.id, trailer.id]
  const expected = [[car.id], both, [], [], [], [trailer.id], [], []]
  expect(await usual()).toEqual(expected)
  await plantTwins(service(), school.tenantId, NAME, async (twin) => {
    const inTwin = sql`where tenant_id = ${twin} and`
    const another = newId()
    await sql`insert into calendars (tenant_id, id, kind) values (${twin}, ${another}, 'vehicle')`.execute(db)
    await sql`insert into vehicles select (jsonb_populate_record(one, ${JSON.stringify({ id: another })}::jsonb)).*
      from vehicles one ${inTwin} id = ${trailer.id}`.execute(db)
    await sql`update instructors set usual_vehicle_id = ${car.id} ${inTwin} id = ${walker.id}`.execute(db)
    await sql`update lesson_types set category = 'theory' ${inTwin} id = ${PRACTICE}`.execute(db)
    await sql`update students set license_class_template_id = ${be} ${inTwin} id = ${lena.id}`.execute(db)
    await sql`update license_class_templates set license_class = 'BE' ${inTwin} id = ${b}`.execute(db)
  })
  expect(await usual()).toEqual(expected)
})

it("a student's open appointments in a twin school do not count toward the limit", async () => {
  const { school, ids } = await aLife(service())
  const { db } = service()
  const { tenantId } = school
  const twin = await plantTwin(service(), tenantId, WORD)
  // From this version on, a booking counts the open appointments.
  await sql`update calendars set version = ${MAX_OPEN_APPOINTMENTS}
    where tenant_id = ${tenantId} and id = ${ids.student}`.execute(db)
  await sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
      status, overrides_used)
    select ${twin}, gen_random_uuid(), ${ids.other}, ${ids.student}, ${ids.lessonType}, time, time + interval '45 minutes',
      'x', 'planned', '{}'
    from generate_series(1, ${sql.lit(MAX_OPEN_APPOINTMENTS)}) n,
      lateral (select timestamp '2060-01-01' + n * interval '1 hour') at (time)`.execute(db)
  const answer = await school.book({ instructor_id: ids.other, student_id: ids.student, ...on('24') })
  expect([answer.status, answer.body.code]).toEqual([201, undefined])
})

it('a deleted link to an offer of a twin school does not change the tag of a long list of offers', async () => {
  const { school, ids } = await aLife(service())
  const { db } = service()
  const { tenantId, client } = school
  const { body: offer } = await client.post('/offers', {
    instructor_id: ids.other,
    lesson_type_id: ids.lessonType,
    student_ids: [ids.student],
    ...on('24'),
  })
  // An open offer changes with the clock.
  await sql`update offers set state = 'withdrawn' where tenant_id = ${tenantId}`.execute(db)
  const twin = await plantTwin(service(), tenantId, WORD)
  await sql`insert into offers
    select (jsonb_populate_record(offers, jsonb_build_object('id', gen_random_uuid()))).*
    from offers, generate_series(1, 1000) where tenant_id = ${tenantId} and id = ${offer.id}`.execute(db)
  const tag = (await client.get('/offers')).headers.get('etag') ?? ''
  await sql`delete from offer_links where tenant_id = ${twin}`.execute(db)
  expect((await client.get('/offers', { 'if-none-match': tag })).status).toBe(304)
})

const DAYS = { from: '2031-03-10', to: '2031-03-14', effort: 1 }

type PlannedOffice = Pick<Life, 'school' | 'ids'> & {
  readonly plan: Row & { readonly proposed: readonly Row[] }
}

/** Makes a school with wishes, lessons in the planned weeks and before them, branches, and a plan. */
async function aPlannedOffice(): Promise<PlannedOffice> {
  const { school, ids } = await aLife(service())
  const { client } = school
  const { student, unrelated, moving, instructor, location } = ids
  for (const id of [student, unrelated])
    must(201, await client.post(`/students/${id}/wishes`, { minutes: 45 }))
  must(200, await client.put(`/students/${moving}/availability/2031-03-10`, { lessons: 1, windows: null }))
  await school.lesson({ instructor_id: instructor, student_id: student, ...on('10'), location_id: location })
  const plan = must(201, await client.post('/plans', DAYS))
  expect(plan.proposed.length).toBeGreaterThan(0)
  return { school, ids, plan }
}

/** Makes a twin differInPlans in all that a plan is made from. */
async function differInPlans(twin: string, { ids }: PlannedOffice): Promise<void> {
  const { db } = service()
  const inTwin = sql`where tenant_id = ${twin}`
  await sql`update wishes set deleted_at = case when deleted_at is null then now() end ${inTwin}`.execute(db)
  await sql`update availability set deleted_at = now() ${inTwin}`.execute(db)
  await sql`update students set deleted_at = now(), lessons_per_week = 7 ${inTwin}`.execute(db)
  await sql`update lesson_types set category = case category when 'theory' then 'practical_exam' else 'theory' end
    ${inTwin}`.execute(db)
  await sql`update appointments set status = case status when 'planned' then 'completed' else status end, location_id = ${ids.location} ${inTwin}`.execute(
    db,
  )
  await sql`insert into wishes (tenant_id, id, student_id, minutes)
    select tenant_id, gen_random_uuid(), id, 45 from students ${inTwin}`.execute(db)
  await sql`insert into availability (tenant_id, id, student_id, week_start, lessons)
    select tenant_id, gen_random_uuid(), id, '2031-03-10', 1 from students ${inTwin}`.execute(db)
}

async function plansOf({ school: { tenantId, client }, ids, plan }: PlannedOffice): Promise<object> {
  const { db } = service()
  const question = {
    tenantId,
    zone: 'Europe/Berlin',
    from: DAYS.from,
    first: DAYS.from,
    end: '2031-03-17',
    exams_until: '2031-03-24',
    limit: 1000,
  }
  const homes = new Map([[ids.instructor, ids.location]])
  return {
    plan: await findPlan(db, { tenantId, ended: '2026-01-01', id: plan.id }),
    all: await listStudentsToPlan(db, { ...question, ids: null }),
    named: await listStudentsToPlan(db, { ...question, ids: [ids.student, ids.gone] }),
    places: [...(await readPlacesOfLessons(db, tenantId, { ...DAYS, homes }))].toSorted(),
    shown: must(200, await client.get(`/plans/${plan.id}`)),
    listed: must(200, await client.get('/plans')),
  }
}

function twinsOf(office: PlannedOffice): Promise<readonly string[]> {
  return plantTwins(service(), office.school.tenantId, WORD, (twin) => differInPlans(twin, office))
}

it('plans and what they are made from are unchanged by twin schools with the same ids', async () => {
  const office = await aPlannedOffice()
  const before = await plansOf(office)
  const { student, unrelated, moving } = office.ids
  const all = (before as { all: Row[] }).all.map(({ student_id }) => student_id)
  expect(all.toSorted()).toEqual([student, unrelated, moving].toSorted())
  await twinsOf(office)
  expect(await plansOf(office)).toEqual(before)
})

it('plans are written, applied, planned again and cleared of students in their own school alone', async () => {
  const office = await aPlannedOffice()
  const { client, tenantId } = office.school
  const { db } = service()
  const twins = await twinsOf(office)
  for (const twin of twins) await beginPlanning(db, { tenantId: twin, id: office.plan.id })
  expect(await isPlanning(db, tenantId)).toBe(false)
  const everything = rowsOfAll(service(), twins)
  const before = await everything()
  const path = `/plans/${office.plan.id}`
  must(200, await client.patch(path, { drop: [office.plan.proposed[0]?.id] }))
  must(200, await client.post(`${path}/replan`, { forget: true }))
  await inTransaction(db, (within) => removeFromPlans(within, tenantId, office.ids.student))
  must(200, await client.post(`${path}/apply`, { as: 'booked', despite_changes: true }))
  expect(await beginPlanning(db, { tenantId, id: office.plan.id })).toBe(true)
  await renewPlanning(db, { tenantId, id: office.plan.id })
  await endPlanning(db, { tenantId, id: office.plan.id })
  expect(await everything()).toEqual(before)
})
