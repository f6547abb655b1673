import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { must } from './client.ts'
import { aSlug } from './enquiries.ts'
import type { School } from './factory.ts'
import { sign } from './signing.ts'

/** Returns a word of letters that occurs nowhere else. */
function aWord(): string {
  const letters = randomUUID().replace(/\d|-/g, (sign) => 'ghijklmnop'[Number(sign)] ?? '')
  return `canary${letters}`
}

/** A student, her former name, and a text about her that does not contain her name. */
export type Canary = {
  readonly id: string
  readonly name: string
  readonly reversed: string
  readonly email: string
  readonly phone: string
  readonly phone_2: string
  readonly secret: string
  readonly words: readonly string[]
}

export async function aCanary({ client }: School): Promise<Canary> {
  const [first_name, maiden, last_name, secret, mailbox] = [aWord(), aWord(), aWord(), aWord(), aWord()]
  const digits = `30${String(Math.random()).slice(2, 12)}`
  const others = `171${String(Math.random()).slice(2, 11)}`
  const [email, phone, phone_2] = [`${mailbox}@mail.example`, `+49 ${digits}`, `+49 ${others}`]
  const fields = {
    first_name,
    last_name: maiden,
    email,
    phone,
    phone_2,
    birth_date: '2008-02-29',
    pickup_place: `${secret}, 2nd floor`,
    language: 'tr',
    lessons_per_week: 2,
    contacts: [{ name: `${secret} senior`, relation: 'guardian', phone, email }],
    notes: secret,
    messages_consent: true,
    message_channel: 'mail',
  }
  const { body } = await client.post('/students', fields, { 'idempotency-key': randomUUID() })
  await client.patch(`/students/${body.id}`, { last_name, notes: `${secret}, ${first_name}` })
  return {
    id: body.id,
    name: `${first_name} ${maiden}`,
    reversed: `${last_name}, ${first_name}`,
    email,
    phone: `0${digits}`,
    phone_2: `0${others}`,
    secret,
    words: [maiden, last_name, secret, mailbox, digits, others],
  }
}

export type Planted = Readonly<
  Record<'own' | 'series' | 'moved' | 'foreign' | 'friend' | 'request' | 'instructor', string>
>

/** Mentions the student in every text that a user can write. */
export async function plantEverywhere(school: School, canary: Canary): Promise<Planted> {
  const { client, lessonTypes } = school
  await client.patch('/tenant', { messages: { link: true } })
  await client.post(`/students/${canary.id}/link`)
  const { id, name, reversed, email, phone, phone_2, secret } = canary
  const instructor = await school.instructor()
  const friend = await school.student({
    first_name: 'Mia',
    last_name: 'Sommer',
    pickup_place: `Home of ${reversed}`,
    notes: `Cousin of ${name}`,
  })
  const day = (date: string) => ({ start_at: `${date} 08:00`, end_at: `${date} 09:30` })
  const book = (fields: object) =>
    school.lesson({
      instructor_id: instructor.id,
      student_id: id,
      title: secret,
      notes: secret,
      pickup_place: secret,
      ...fields,
    })
  const isExam = { lesson_type_id: lessonTypes.PRACTICAL_EXAM }
  const own = await book({ ...day('2026-05-04'), ...isExam })
  const driven = await client.patch(`/appointments/${own.id}`, {
    status: 'completed',
    practised: secret,
    exam_result: { passed: true, note: null },
  })
  expect((await sign(school, driven.body, { name }, { 'idempotency-key': randomUUID() })).status).toBe(201)
  const late = await book({ ...day('2026-05-11'), ...isExam })
  await client.post(`/appointments/${late.id}/cancel`, { by: 'student', note: secret })
  const friendly = await book({
    ...day('2026-05-12'),
    ...isExam,
    student_id: friend.id,
    title: 'Drive',
    notes: null,
    pickup_place: null,
  })
  await client.post(`/appointments/${friendly.id}/cancel`, { by: 'student', note: `Drives with ${name}` })
  const seen = { exam_result: { passed: false, note: `Seen by ${name}` } }
  await client.patch(`/appointments/${friendly.id}`, seen)
  await client.patch(`/appointments/${late.id}`, { exam_result: { passed: false, note: secret } })
  const exam_result = { passed: false, note: secret }
  const moved = await book({ ...day('2026-05-05'), ...isExam, exam_result })
  await client.patch(`/appointments/${moved.id}`, { practised: secret })
  await client.patch(`/appointments/${moved.id}`, { student_id: friend.id, notes: 'taken over' })
  const foreign = await book({
    ...day('2026-05-06'),
    student_id: null,
    title: name,
    pickup_place: `Home of ${reversed}`,
    notes: `Ring ${phone} or ${phone_2}`,
  })
  const told = {
    ...day('2026-05-08'),
    instructor_id: instructor.id,
    notes: `Ring\n${name.replace(' ', '\n')}`,
  }
  await school.book(told, { 'idempotency-key': randomUUID() })
  const deleted = await book(day('2026-05-07'))
  await client.delete(`/appointments/${deleted.id}`)
  const appointment = { instructor_id: instructor.id, student_id: id, lesson_type_id: lessonTypes.PRACTICE }
  const repeat = { every_weeks: 1, count: 2 }
  const series = await client.post(
    '/appointments/series',
    { appointment: { ...appointment, title: secret, notes: secret, ...day('2098-05-12') }, repeat },
    { 'idempotency-key': randomUUID() },
  )
  const asked = { instructor_id: instructor.id, start_date: '2098-08-03', end_date: '2098-08-04' }
  const request = await client.post('/schedule-requests', { ...asked, note: `Not ${reversed}` })
  await client.patch(`/schedule-requests/${request.body.id}`, { status: 'declined', answer: `${email} asks` })
  const vacations = [{ start_date: '2098-12-24', end_date: '2098-12-25', note: `Trip\n${name}` }]
  const absences = [{ start_at: '2098-12-28 08:00', end_at: '2098-12-28 09:00', note: `With ${name}` }]
  await client.patch(`/instructors/${instructor.id}`, { vacations })
  await school.instructor({ absences })
  const closed = { start_date: '2097-12-24', end_date: '2097-12-25', note: `Wedding of ${name}` }
  await client.post('/closures', closed)
  const away = [{ start_at: '2098-12-28 08:00', end_at: '2098-12-28 09:00', note: `Lent to ${name}` }]
  const car = { name: 'Golf', kind: 'car', notes: `Scratch by ${reversed}`, absences: away }
  await client.post('/locations', { name: 'North', address: `Beside ${name}` })
  await client.post('/vehicles', car, { 'idempotency-key': randomUUID() })
  const brought = { lesson_type_id: lessonTypes.RURAL, units: 2, date: '2026-01-31' }
  const { id: newcomer } = await school.student({
    first_name: 'Ida',
    contacts: [{ name: `${name} junior`, relation: 'other', phone: '0171 5550149' }],
  })
  await client.put(`/students/${newcomer}/opening-balance`, [{ ...brought, source: `Like ${name}` }])
  await client.put(`/students/${id}/opening-balance`, [{ ...brought, source: secret }])
  expect((await client.post(`/students/${id}/link`)).status).toBe(200)
  const [template] = (await client.get('/license-class-templates')).body
  const enrolled = { template_id: template.id, note: secret }
  const { id: enrolment } = (await client.post(`/students/${id}/enrolments`, enrolled)).body
  await client.patch(`/enrolments/${enrolment}`, { note: `Twice ${secret}` })
  await client.put(`/enrolments/${enrolment}/ticks/contract`, { date: '2026-01-31', note: secret })
  const enrolledToo = { ...enrolled, note: `Friend of ${name}` }
  const { id: theirs } = (await client.post(`/students/${newcomer}/enrolments`, enrolledToo)).body
  await client.put(`/enrolments/${theirs}/ticks/contract`, { date: '2026-01-31', note: `Like ${name}` })
  const enquiries = { enabled: true, slug: aSlug(), classes: ['B'] }
  must(200, await client.patch('/tenant', { enquiries }))
  const enquiry = { first_name: 'Eva', last_name: name, license_class: 'B', consent: true }
  for (const way of [{ phone }, { email }])
    must(202, await client.post(`//e/${enquiries.slug}`, { ...enquiry, ...way, message: secret }))
  const friend_asks = { ...enquiry, last_name: 'Maier', phone: '12345678', message: `Friend of ${name}` }
  must(202, await client.post(`//e/${enquiries.slug}`, friend_asks))
  await client.post(`/students/${id}/wishes`, { minutes: 90 }, { 'idempotency-key': randomUUID() })
  await client.put(`/students/${id}/availability/2098-11-03`, { lessons: 2, windows: null })
  const planned = { from: '2098-11-03', to: '2098-11-04', student_ids: [id], effort: 1 }
  const { body: plan } = await client.post('/plans', planned, { 'idempotency-key': randomUUID() })
  await client.post(`/plans/${plan.id}/apply`, { as: 'offers' })
  must(201, await client.post('/plans', planned))
  const free = { start_at: '2098-11-03 08:00', end_at: '2098-11-03 09:30' }
  const offered = await client.post('/offers', {
    instructor_id: instructor.id,
    lesson_type_id: lessonTypes.PRACTICE,
    student_ids: [id],
    ...free,
  })
  const secret_link = String(offered.body.links[0].url).split('/o/').at(-1)
  expect((await client.post(`/offers/accept/${secret_link}`)).status).toBe(200)
  await client.post('/auth/login', { email, password: 'not the one' })
  await client.post('/auth/password-resets', { email })
  return {
    own: own.id,
    series: series.body.booked[0].id,
    moved: moved.id,
    foreign: foreign.id,
    friend: friend.id,
    request: request.body.id,
    instructor: instructor.id,
  }
}
