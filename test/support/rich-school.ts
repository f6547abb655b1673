import type { Reached } from './client.ts'
import { must } from './client.ts'
import { aSlug, sendForm } from './enquiries.ts'
import type { Row, School } from './factory.ts'
import { anInvitation } from './invitations.ts'
import { aPasskey, inSession } from './passkeys.ts'
import { loginOf } from './session.ts'
import { sign } from './signing.ts'

const MONDAY = '2099-03-02'

/** Availability windows. The last one is awkward: it ends at midnight. */
const WINDOWS = [
  { weekday: 1, start: '06:30', end: '20:00' },
  { weekday: 7, start: '00:00', end: '23:59' },
  { weekday: 6, start: '09:00', end: '24:00', valid_from: '2031-01-01', valid_to: null, every_weeks: 2 },
]

/** A text that must be escaped to fit into a line of a file. */
const AWKWARD = 'Ä "quoted" \\ back\nslash\r\n\ttab \u2028 ’ \u007f 🚗 {"end":true}'

const NOTICE = {
  categories: ['practical', AWKWARD.slice(0, 40)],
  notice: { days_before: 1, until: '13:00', working: true },
  fee_percent: 80,
}

/** Fills a school over HTTP with every kind of resource that a school can have. */
export async function enrich(service: Reached, school: School): Promise<void> {
  const { client } = school
  const jonas = await school.instructor({
    availability_windows: WINDOWS,
    vacations: [{ start_date: '2099-08-01', end_date: '2099-08-14', note: AWKWARD }],
    absences: [{ start_at: '2099-09-01 13:00', end_at: '2099-09-01 15:30', note: AWKWARD }],
    license_classes: ['B', 'A'],
    max_daily_units: 8,
    max_daily_override: 10,
    required_break_minutes: 0,
  })
  const ute = await school.instructor({ first_name: 'Ute', last_name: 'O’Neil' })
  const lena = await school.student({
    birth_date: '2000-02-29',
    pickup_place: '=Bahnhof „Süd“; Gleis 1',
    language: 'ar',
    lessons_per_week: 2,
    contacts: [
      {
        name: AWKWARD.slice(0, 40).trim(),
        relation: 'payer',
        email: 'eva@reader.example',
        gets_messages: true,
      },
    ],
    notes: AWKWARD,
    preferred_instructor_id: jonas.id,
    messages_consent: true,
    message_channel: 'webhook',
  })
  const gone = await school.student({ last_name: 'Weg', phone: '+49 40 123', phone_2: '+49 40 456' })
  const [first] = must(200, await client.get('/license-class-templates'))
  const enrolled = {
    template_id: String(first?.id),
    begins_on: '2026-01-15',
    outcome: 'moved',
    ends_on: '2026-02-15',
    theory_ended_on: '2026-02-01',
    prior_classes: [{ license_class: 'AM', since: '2024-01-31' }],
    cooperation: { role: 'commissioned', school: AWKWARD.slice(0, 40).trim(), address: null },
    note: AWKWARD,
  }
  const { id: enrolment } = must(201, await client.post(`/students/${lena.id}/enrolments`, enrolled))
  const tick = { date: '2026-01-20', valid_until: '2028-01-20', note: AWKWARD }
  must(200, await client.put(`/enrolments/${enrolment}/ticks/contract`, tick))
  const brought = { lesson_type_id: school.lessonTypes.RURAL, units: 3, date: '2026-01-31', source: AWKWARD }
  must(200, await client.put(`/students/${lena.id}/opening-balance`, [brought]))
  const absences = [{ start_at: '2026-08-01 08:00', end_at: '2026-08-20 12:00', note: AWKWARD }]
  const golf = {
    name: 'Golf',
    kind: 'car',
    gearbox: 'manual',
    license_classes: ['B'],
    plate: 'B 1',
    absences,
  }
  const north = must(
    201,
    await client.post('/locations', { name: AWKWARD.slice(0, 40), address: AWKWARD.slice(0, 40) }),
  )
  const ways = { [String(north.id)]: 25 }
  const south = must(201, await client.post('/locations', { name: 'South', travel_minutes: ways }))
  const placed = { ...golf, notes: AWKWARD, location_id: south.id }
  const { id: car } = must(201, await client.post('/vehicles', placed))
  const { id: sold } = must(201, await client.post('/vehicles', { name: 'Polo', kind: 'car' }))
  must(204, await client.delete(`/vehicles/${sold}`))
  must(200, await client.patch(`/instructors/${jonas.id}`, { usual_vehicle_id: car, location_id: south.id }))
  await lessonsOf(school, { jonas, ute, lena, gone }, car)
  must(200, await client.patch(`/instructors/${ute.id}`, { active: false }))
  must(204, await client.delete(`/students/${gone.id}`))
  const settings = {
    phone: '040 1',
    default_availability_windows: WINDOWS,
    hidden_license_classes: ['D', 'DE'],
  }
  must(200, await client.patch('/tenant', settings))
  const types = {
    name: AWKWARD.slice(0, 40),
    hidden: true,
    position: 3,
    color: '#123456',
    default_minutes: 50,
    seats: 2,
  }
  must(200, await client.patch(`/tenant/lesson-types/${school.lessonTypes.NIGHT}`, types))
  must(200, await client.patch(`/tenant/lesson-types/${school.lessonTypes.RURAL}`, { position: 30 }))
  must(
    201,
    await client.post('/schedule-requests', { instructor_id: jonas.id, availability_windows: WINDOWS }),
  )
  const wish = {
    weekdays: [1, 5],
    time_from: '08:00',
    time_to: '24:00',
    minutes: 90,
    from: '2098-01-31',
    until: '2099-01-31',
  }
  const references = { lesson_type_id: school.lessonTypes.RURAL, instructor_id: jonas.id }
  must(201, await client.post(`/students/${lena.id}/wishes`, { ...wish, ...references }))
  const { id: withdrawn } = must(201, await client.post(`/students/${lena.id}/wishes`, { minutes: 45 }))
  must(204, await client.delete(`/students/${lena.id}/wishes/${withdrawn}`))
  const week = `/students/${lena.id}/availability`
  const windows = [{ date: '2099-03-04', time_from: '08:00', time_to: '24:00', minutes: 90 }]
  must(200, await client.put(`${week}/2099-03-02`, { lessons: 2, windows }))
  must(200, await client.put(`${week}/2099-03-09`, { lessons: 0, windows: null }))
  must(204, await client.delete(`${week}/2099-03-09`))
  const offer = {
    instructor_id: jonas.id,
    lesson_type_id: school.lessonTypes.PRACTICE,
    student_ids: [lena.id],
    start_at: '2099-10-05 08:00',
    end_at: '2099-10-05 09:30',
  }
  must(201, await client.post('/offers', offer))
  const days = { from: '2099-03-02', to: '2099-03-08', instructor_ids: [jonas.id], student_ids: [lena.id] }
  const { id: plan } = must(201, await client.post('/plans', { ...days, effort: 1 }))
  must(200, await client.post(`/plans/${plan}/apply`, { as: 'offers' }))
  must(201, await client.post('/plans', { ...days, effort: 1 }))
  const slug = aSlug()
  const closure = { start_date: '2098-12-24', end_date: '2099-01-01', note: AWKWARD }
  must(201, await client.post('/closures', closure))
  must(
    200,
    await client.patch('/tenant', {
      region: 'DE-BY',
      holidays: 'refuse',
      instructors_may: 'own_students',
      student_actions: { confirm: true, cancel: true, wish: true, proof: 'mail_code' },
      email: 'office@nord.example',
      office_email: 'planning@nord.example',
      availability_round: { weekday: 7, time: '23:59' },
      student_booking: { mode: 'book', time_to: '24:00', lesson_type_ids: [school.lessonTypes.PRACTICE] },
      enquiries: { enabled: true, slug, classes: ['B'], text: AWKWARD, origins: ['https://nord.example'] },
      address: AWKWARD,
      responsible: 'Ute Brandt',
      record: { signatures: ['student'], content: 'defect' },
      messages: {
        availability: true,
        reminder: true,
        reminder_hours: [48],
        quiet: { from: '21:00', to: '07:00' },
      },
      map_url: 'https://map.example/?q={place}',
      cancellation_policy: [NOTICE],
    }),
  )
  for (const message of [AWKWARD, '']) must(202, await sendForm(service, slug, { message, weekday: '2' }))
  const [{ id: enquiry }] = must(200, await client.get('/enquiries'))
  must(201, await client.post(`/enquiries/${enquiry}/enrol`))
  must(200, await client.post(`/instructors/${jonas.id}/calendar-feed`, { detail: 'full' }))
  must(200, await client.post(`/students/${lena.id}/link`))
  await anInvitation(school)
  const session = await loginOf(service, school.user)
  await aPasskey(service, session)
  must(200, await inSession(session).post('/auth/recovery-codes'))
  const { digest } = must(200, await client.get('/retention'))
  must(200, await inSession(session).post('/retention/runs', { digest }))
}

type People = { readonly [Name in 'jonas' | 'ute' | 'lena' | 'gone']: Row }

async function lessonsOf(school: School, { jonas, ute, lena, gone }: People, car: string): Promise<void> {
  const { client } = school
  const on = (day: string, start: string, end: string, more: object = {}) => ({
    instructor_id: ute.id,
    lesson_type_id: school.lessonTypes.PRACTICE,
    start_at: `${day} ${start}`,
    end_at: `${day} ${end}`,
    ...more,
  })
  const first = on(MONDAY, '08:00', '09:30', { instructor_id: jonas.id, student_id: lena.id, title: AWKWARD })
  const series = { appointment: first, repeat: { every_weeks: 1, count: 4 } }
  must(200, await client.post('/appointments/series', series, { 'idempotency-key': 'a-series' }))
  const driven = await school.lesson(
    on('2026-03-02', '08:00', '09:30', {
      student_id: gone.id,
      lesson_type_id: school.lessonTypes.PRACTICAL_EXAM,
    }),
  )
  const went = {
    status: 'completed',
    practised: AWKWARD,
    exam_result: { passed: false, note: AWKWARD },
    actual_start_at: '2026-03-02 08:05',
    actual_end_at: '2026-03-02 09:47',
  }
  const lesson = must(200, await client.patch(`/appointments/${driven.id}`, went))
  must(201, await sign(school, lesson, { name: '„Gone“ \\ 🚗' }))
  // Before the night of a clock change, and across the next midnight.
  await school.lesson(on('2027-03-27', '23:15', '23:59', { student_id: lena.id, vehicle_ids: [car] }))
  const night = {
    ...on('2027-03-28', '22:30', '23:00'),
    end_at: '2027-03-29 00:45',
    lesson_type_id: school.lessonTypes.NIGHT,
  }
  const { id } = await school.lesson(night)
  must(200, await client.post(`/appointments/${id}/cancel`, { by: 'student', note: AWKWARD, charge: true }))
  const removed = await school.lesson(on('2027-04-01', '10:00', '11:00', { student_id: gone.id }))
  must(204, await client.delete(`/appointments/${removed.id}`))
  const group = await school.lesson(
    on('2026-03-03', '18:00', '19:30', {
      lesson_type_id: school.lessonTypes.THEORY_BASIC,
      attendees: [{ student_id: lena.id }, { student_id: gone.id }],
      seats: 12,
      topic: AWKWARD.slice(0, 40),
    }),
  )
  must(200, await client.patch(`/appointments/${group.id}/attendees/${lena.id}`, { attended: true }))
  // Beyond the daily limit, so that an override is recorded.
  await school.lesson(on(MONDAY, '10:00', '15:15', { instructor_id: jonas.id }))
}
