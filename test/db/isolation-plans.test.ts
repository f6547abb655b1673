import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { listStudentsToPlan, readPlacesOfLessons } from '../../src/db/school/planned-students.ts'
import {
  beginPlanning,
  endPlanning,
  findPlan,
  isPlanning,
  removeFromPlans,
  renewPlanning,
} from '../../src/db/school/plans.ts'
import { aLife, type Life, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()
const DAYS = { from: '2031-03-10', to: '2031-03-14', effort: 1 }

type Office = Pick<Life, 'school' | 'ids'> & { readonly plan: Row & { readonly proposed: readonly Row[] } }

/** Makes a school with wishes, lessons in the planned weeks and before them, branches, and a plan. */
async function anOffice(): Promise<Office> {
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

/** Makes a twin differ in all that a plan is made from. */
async function differ(twin: string, { ids }: Office): Promise<void> {
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

async function readsOf({ school: { tenantId, client }, ids, plan }: Office): Promise<object> {
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

async function twinsOf(office: Office): Promise<readonly string[]> {
  const twins: string[] = []
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service(), office.school.tenantId, WORD, side)
    await differ(twin, office)
    twins.push(twin)
  }
  return twins
}

it('plans and what they are made from are unchanged by twin schools with the same ids', async () => {
  const office = await anOffice()
  const before = await readsOf(office)
  const { student, unrelated, moving } = office.ids
  const all = (before as { all: Row[] }).all.map(({ student_id }) => student_id)
  expect(all.toSorted()).toEqual([student, unrelated, moving].toSorted())
  await twinsOf(office)
  expect(await readsOf(office)).toEqual(before)
})

it('plans are written, applied, planned again and cleared of students in their own school alone', async () => {
  const office = await anOffice()
  const { client, tenantId } = office.school
  const { db } = service()
  const twins = await twinsOf(office)
  for (const twin of twins) await beginPlanning(db, { tenantId: twin, id: office.plan.id })
  expect(await isPlanning(db, tenantId)).toBe(false)
  const everything = () => Promise.all(twins.map((twin) => everythingOf(service(), twin)))
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
