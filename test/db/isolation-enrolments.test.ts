import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { storedTemplates } from '../../src/booking/packs/pack-templates.ts'
import { loadPack } from '../../src/booking/packs/packs.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { ListedStudent } from '../../src/contract/student.ts'
import { requireAgendas } from '../../src/db/calendars/agendas.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { alignTemplates, listSchoolsWithOtherTemplates } from '../../src/db/school/license-class-templates.ts'
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
import { requireProgress } from '../../src/db/students/progress.ts'
import { listRowIdsOf, listStudentsOfRows } from '../../src/db/students/rows-of-students.ts'
import { listStudentsWithEnrolments } from '../../src/db/students/students.ts'
import { hasTick, readPapers } from '../../src/db/students/ticks.ts'
import { aLife, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anActor, aSchool, type Row, type School } from '../support/factory.ts'
import { Trainer, templateOf } from '../support/trainer.ts'
import { plantTwin, plantTwins, rowsOfAll } from '../support/twin.ts'

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
  const twins = await plantTwins(service(), tenantId, WORD, async (twin) => {
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
  })
  expect(await reads()).toEqual(before)
  const untouched = rowsOfAll(service(), twins)
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

async function trainedIn(place: object, code: string) {
  const school = await aSchool(service(), place)
  const { id } = await school.instructor({ license_classes: ['B'] })
  const trainer = new Trainer(school, await templateOf(school, code), id)
  return { school, trainer, student: await trainer.learner() }
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
  await plantTwins(service(), school.tenantId, WORD, async (twin) => {
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
  await plantTwins(service(), school.tenantId, WORD, async (twin) => {
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
  await plantTwins(service(), school.tenantId, WORD, async (twin) => {
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
  const twins = await plantTwins(service(), school.tenantId, WORD, (twin) =>
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
  await plantTwins(service(), tenantId, WORD, async (twin) => {
    await sql`update appointments set student_id = null, seats = 9, attendees = ${attendees}, lesson_type_id = ${RURAL}
      where tenant_id = ${twin} and id = ${ids.movingLesson}`.execute(db)
    await sql`update lesson_types type set requirement_key = other.requirement_key from lesson_types other
      where type.tenant_id = ${twin} and other.tenant_id = type.tenant_id
        and (type.id, other.id) in ((${RURAL}, ${MOTORWAY}), (${MOTORWAY}, ${RURAL}))`.execute(db)
  })
  expect(await learners()).toEqual(before)
  // A row that has been written again comes after those of the twins.
  await sql`update lesson_types set color = color where tenant_id = ${tenantId}`.execute(db)
  expect(await learners()).toEqual(before)
})

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
