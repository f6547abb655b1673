import { sql } from 'kysely'
import { queueMessages } from '../../src/db/messages/messages.ts'
import type { TestService } from './app.ts'
import { aSlug } from './enquiries.ts'
import type { School } from './factory.ts'

/** A word that marks one school's data: a response to another school that contains it is a leak. */
export const CANARY = 'kanarienvogel'

/** The kinds of resources whose ids another school must not reach. */
export type Kind =
  | 'student'
  | 'enrolment'
  | 'instructor'
  | 'vehicle'
  | 'location'
  | 'offer'
  | 'plan'
  | 'appointment'
  | 'series'
  | 'schedule_request'
  | 'enquiry'
  | 'lesson_type'
  | 'closure'
  | 'license_class_template'
  | 'user'
  | 'webhook'
  | 'set'
export type Ids = Readonly<Record<Kind, string>>

/** Makes a row of each kind, with the word in every text column. */
export async function populate(school: School, word: string): Promise<Ids> {
  const [template] = (await school.client.get('/license-class-templates')).body
  const contact = { email: `${word}@school.example`, phone: word, phone_2: word }
  const person = { first_name: word, last_name: word, ...contact }
  const { id: instructor } = await school.instructor({
    ...person,
    license_classes: [word],
    vacations: [{ start_date: '2026-12-24', end_date: '2026-12-26', note: word }],
  })
  const refers = { license_class_template_id: template.id, preferred_instructor_id: instructor }
  const { id: student } = await school.student({ ...person, pickup_place: word, notes: word, ...refers })
  const { id: enrolment } = (
    await school.client.post(`/students/${student}/enrolments`, {
      template_id: template.id,
      outcome: 'moved',
      prior_classes: [{ license_class: word }],
      cooperation: { role: 'commissioned', school: word, address: word },
      note: word,
    })
  ).body
  await school.client.put(`/enrolments/${enrolment}/ticks/contract`, { date: '2026-01-31', note: word })
  await school.client.put(`/students/${student}/opening-balance`, [
    { lesson_type_id: school.lessonTypes.PRACTICE, units: 1, date: '2026-01-31', source: word },
  ])
  const { id: location } = (await school.client.post('/locations', { name: word, address: word })).body
  const { id: vehicle } = (
    await school.client.post('/vehicles', {
      name: word,
      kind: 'car',
      license_classes: [word],
      plate: word,
      notes: word,
      absences: [{ start_at: '2026-12-24 08:00', end_at: '2026-12-26 08:00', note: word }],
    })
  ).body
  const { id: appointment } = await school.lesson({
    instructor_id: instructor,
    vehicle_ids: [vehicle],
    student_id: student,
    lesson_type_id: school.lessonTypes.PRACTICAL_EXAM,
    start_at: '2026-05-04 08:00',
    end_at: '2026-05-04 09:30',
    title: word,
    pickup_place: word,
    notes: word,
  })
  const { PRACTICE: lesson_type = '' } = school.lessonTypes
  const times = { start_at: '2026-05-05 08:00', end_at: '2026-05-05 09:30' }
  const { body } = await school.client.post('/appointments/series', {
    appointment: { instructor_id: instructor, lesson_type_id: lesson_type, title: word, ...times },
    repeat: { every_weeks: 1, count: 2 },
  })
  const { series_id: series } = body
  const invited = { email: `${word}@${school.tenantId}.example`, name: word, role: 'office' }
  const { user } = (await school.client.post('/users', invited)).body
  await school.client.patch(`/appointments/${appointment}`, {
    practised: word,
    exam_result: { passed: false, note: word },
  })
  const deleted = await school.client.delete(`/appointments/${body.booked[1].id}`)
  const asked = await school.client.post('/schedule-requests', {
    instructor_id: instructor,
    availability_windows: [],
    note: word,
  })
  const { id: schedule_request } = asked.body
  const days = { start_date: '2097-08-02', end_date: '2097-08-03' }
  const { id: closure } = (await school.client.post('/closures', { ...days, note: word })).body
  await school.client.post(`/students/${student}/wishes`, { minutes: 90, instructor_id: instructor })
  await school.client.put(`/students/${student}/availability/2098-05-05`, { lessons: 2, windows: null })
  const free = { start_at: '2098-05-05 08:00', end_at: '2098-05-05 09:30' }
  const { id: offer } = (
    await school.client.post('/offers', {
      instructor_id: instructor,
      lesson_type_id: lesson_type,
      student_ids: [student],
      ...free,
    })
  ).body
  const days_of_plan = { from: '2098-06-02', to: '2098-06-03', student_ids: [student], effort: 1 }
  const { id: plan } = (await school.client.post('/plans', days_of_plan)).body
  const calendar = { name: word, url: `https://203.0.113.7/${word}` }
  await school.client.post(`/instructors/${instructor}/busy-calendars`, calendar)
  const slug = aSlug()
  await school.client.patch('/tenant', { enquiries: { enabled: true, slug, classes: [word], text: word } })
  const told = { first_name: word, last_name: word, license_class: word, phone: word, message: word }
  await school.client.post(`//e/${slug}`, { ...told, email: contact.email, consent: true })
  const [{ id: enquiry }] = (await school.client.get('/enquiries')).body
  const { id: webhook } = (await school.client.post('/webhooks', { url: `https://203.0.113.7/${word}` })).body
  return {
    webhook,
    schedule_request,
    enquiry,
    offer,
    plan,
    student,
    enrolment,
    instructor,
    vehicle,
    location,
    appointment,
    series,
    lesson_type,
    closure,
    license_class_template: template.id,
    user: user.id,
    set: deleted.headers.get('x-request-id') ?? '',
  }
}

/** Writes the canary into columns that no client can write. */
export async function plantInCatalogue({ db }: TestService, { tenantId, user }: School): Promise<void> {
  for (const [table, columns, key] of [
    ['lesson_types', ['code', 'name', 'category'], 'tenant_id'],
    ['license_class_templates', ['code', 'name', 'license_class'], 'tenant_id'],
    ['users', ['name'], 'tenant_id'],
    ['tenants', ['name', 'locale', 'country'], 'id'],
  ] as const) {
    for (const column of columns) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} || ${CANARY}
        where ${sql.ref(key)} = ${tenantId}`.execute(db)
    }
  }
  await sql`update users set email = ${CANARY} || email where id = ${user.id}`.execute(db)
}

/** Queues a message about the past lesson to the student's address. Returns the ids. */
export async function queueFor({ db }: Pick<TestService, 'db'>, ids: Ids): Promise<Ids> {
  const { appointment: appointment_id, instructor: instructor_id, student: student_id } = ids
  const { tenant_id, email } = await db
    .selectFrom('students')
    .select(['tenant_id', 'email'])
    .where('id', '=', student_id)
    .executeTakeFirstOrThrow()
  const times = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }
  const at = new Date()
  await queueMessages(db, tenant_id, at, [
    {
      kind: 'booked',
      student_id,
      lessons: [{ appointment_id, instructor_id, ...times, was: null }],
      channel: 'mail',
      to_address: email,
      send_at: at,
      worth_until: at,
    },
  ])
  return ids
}
