import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { storedTemplates } from '../../src/booking/packs/pack-templates.ts'
import { loadPack } from '../../src/booking/packs/packs.ts'
import { requireAgendas } from '../../src/db/calendars/agendas.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { alignTemplates, listSchoolsWithOtherTemplates } from '../../src/db/school/license-class-templates.ts'
import { requireProgress } from '../../src/db/students/progress.ts'
import { listRowIdsOf, listStudentsOfRows } from '../../src/db/students/rows-of-students.ts'
import { hasTick, readPapers } from '../../src/db/students/ticks.ts'
import { WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anActor, aSchool, type Row, type School } from '../support/factory.ts'
import { Trainer, templateOf } from '../support/trainer.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const SIDES = ['00000000', 'ffffffff'] as const

async function trainedIn(place: object, code: string) {
  const school = await aSchool(service(), place)
  const { id } = await school.instructor({ license_classes: ['B'] })
  const trainer = new Trainer(school, await templateOf(school, code), id)
  return { school, trainer, student: await trainer.learner() }
}

/** Plants twins on both sides and changes them. Returns their ids. */
async function twinsOf({ tenantId }: School, change: (twin: string) => Promise<unknown>): Promise<string[]> {
  const twins: string[] = []
  for (const side of SIDES) {
    const twin = await plantTwin(service(), tenantId, WORD, side)
    await change(twin)
    twins.push(twin)
  }
  return twins
}

async function countedFor(school: School, student: string, instructor: string, code: string) {
  const { db } = service()
  const actor = await anActor(service(), school.tenantId)
  const progress = await requireProgress(db, { id: school.tenantId, unit_minutes: 45 }, { id: student })
  const question = { instructor_ids: [instructor], range: { start: 0, end: 1 } }
  const { learner } = await requireAgendas(db, actor, {
    ...question,
    lesson: { student_id: student },
    lesson_type_id: school.lessonTypes[code] ?? '',
  })
  return { progress, learner }
}

it('the gearbox of a drive is that of the vehicle of its own school', async () => {
  const { school, trainer, student } = await trainedIn({}, 'B197')
  const golf = { name: 'Golf', kind: 'car', gearbox: 'manual', license_classes: ['B'] }
  const { id: vehicle } = must(201, await school.client.post('/vehicles', golf))
  const lesson = await trainer.drive(student, 'RURAL', 90)
  must(200, await school.client.patch(`/appointments/${lesson}`, { vehicle_ids: [vehicle] }))
  const read = () => countedFor(school, student, trainer.instructor, 'MANUAL_GEARBOX')
  const before = await read()
  expect(before.progress.requirements[3]).toMatchObject({ done_units: 2 })
  await twinsOf(school, async (twin) => {
    await sql`update vehicles set gearbox = 'automatic' where tenant_id = ${twin}`.execute(service().db)
    await sql`update template_requirements set also = null where tenant_id = ${twin}`.execute(service().db)
  })
  expect(await read()).toEqual(before)
})

it('the types that a requirement includes are those of its own school', async () => {
  const { school, trainer, student } = await trainedIn(
    { country: 'AT', timezone: 'Europe/Vienna' },
    'AT_B_FULL',
  )
  await trainer.drive(student, 'RURAL', 100)
  await trainer.drive(student, 'REFRESHER', 100)
  const read = () => countedFor(school, student, trainer.instructor, 'PRACTICE')
  const before = await read()
  const { RURAL, REFRESHER } = school.lessonTypes
  await twinsOf(school, async (twin) => {
    await sql`update lesson_types set code = 'OTHER' where tenant_id = ${twin} and id = ${RURAL}`.execute(
      service().db,
    )
    await sql`update lesson_types set code = 'RURAL' where tenant_id = ${twin} and id = ${REFRESHER}`.execute(
      service().db,
    )
  })
  expect(await read()).toEqual(before)
})

it('the ticks of an enrolment are those of its own school', async () => {
  const { school, trainer, student } = await trainedIn({}, 'B')
  const { client, tenantId } = school
  const [{ id: enrolment }] = must(200, await client.get(`/students/${student}/enrolments`))
  must(200, await client.put(`/enrolments/${enrolment}/ticks/photo`, { date: '2026-01-31' }))
  const exam = {
    ...{
      instructor_id: trainer.instructor,
      student_id: student,
      lesson_type_id: school.lessonTypes.THEORY_EXAM,
    },
    ...{ start_at: '2026-02-02 08:00', end_at: '2026-02-02 08:45', exam_result: { passed: true } },
  }
  must(201, await client.post('/appointments', exam))
  const { db } = service()
  const [change] = must(200, await client.get('/changes?resource=tick')) as Row[]
  const ids = [String(change?.resource_id)]
  const read = async () => ({
    papers: await readPapers(db, tenantId, enrolment),
    students: await listStudentsOfRows(db, tenantId, 'ticks', ids),
    ids: await listRowIdsOf(db, tenantId, 'ticks', student),
    has: await hasTick(db, tenantId, { enrolment_id: enrolment, kind: 'contract' }),
  })
  const before = await read()
  expect(before).toMatchObject({
    ids,
    students: [student],
    has: false,
    papers: { results: [{ passed: true }] },
  })
  await twinsOf(school, async (twin) => {
    const other = sql`(select id from students where tenant_id = ${twin} and id <> ${student} limit 1)`
    await sql`update ticks set kind = 'contract', student_id = coalesce(${other}, student_id) where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update lesson_types set category = 'exam' where tenant_id = ${twin} and code = 'PRACTICE'`.execute(
      db,
    )
  })
  expect(await read()).toEqual(before)
})

it('templates are brought to one school and leave those of others', async () => {
  const { school } = await trainedIn({}, 'B')
  const { db } = service()
  const ids = new Map(Object.entries(school.lessonTypes) as [string, string][])
  const given = storedTemplates(loadPack('DE', 'de'), ids)
  const others = await listSchoolsWithOtherTemplates(db, 'DE', given)
  expect(others.map(({ id }) => id)).not.toContain(school.tenantId)
  const twins = await twinsOf(school, (twin) =>
    sql`update license_class_templates set valid_from = null where tenant_id = ${twin}`.execute(db),
  )
  const rowsOf = async (tenantId: string) => {
    const templates =
      await sql<Row>`select * from license_class_templates where tenant_id = ${tenantId} order by id`.execute(
        db,
      )
    const requirements = await sql<Row>`select * from template_requirements where tenant_id = ${tenantId}
      order by license_class_template_id, position`.execute(db)
    return [templates.rows, requirements.rows]
  }
  const before = await Promise.all(twins.map(rowsOf))
  const dated = given
    .filter(({ code }) => code === 'B')
    .map((one) => ({ ...one, valid_from: '2030-01-01', valid_to: null, law: 'Invented' }))
  for (let times = 0; times < 2; times += 1)
    await inTransaction(db, (within) => alignTemplates(within, school.tenantId, [...given, ...dated]))
  const [templates = []] = await rowsOf(school.tenantId)
  expect(templates.filter(({ code }) => code === 'B')).toHaveLength(2)
  expect(await Promise.all(twins.map(rowsOf))).toEqual(before)
})
