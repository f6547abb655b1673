import { type Life, on } from './a-life.ts'
import type { TestService } from './app.ts'
import { type Answer, Client } from './client.ts'
import { NUMBER } from './erasure.ts'
import { StudentBrowser } from './student-browser.ts'

type Step = readonly [what: string, ask: () => Promise<Pick<Answer, 'status' | 'text'>>]

const BIRTH = { birth_date: '2008-04-12' }
const NOTICE = { categories: ['practical'], notice: { working_days: 3 }, fee_percent: 50 }

/** Returns the requests that cancel lessons and offer their times, in a possible order. */
export function troubledDays(service: TestService, life: Life): readonly Step[] {
  return [...settingUp(life), ...fallingOut(life), ...offering(service, life), ...acting(service, life)]
}

function settingUp({ school: { client }, ids }: Life): readonly Step[] {
  const settings = {
    cancellation_policy: [NOTICE],
    instructors_may: 'own_students',
    messages: { booked: true, cancelled: true, offer: true },
    student_actions: { confirm: true, cancel: true, wish: true, proof: 'birth_date' },
  }
  const reachable = { ...BIRTH, messages_consent: true }
  return [
    ['allow what may be allowed', () => client.patch('/tenant', settings)],
    ['a student who can be reached', () => client.patch(`/students/${ids.student}`, reachable)],
    ['delete a branch', () => client.delete(`/locations/${ids.location}`)],
    ['withdraw an invitation', () => client.delete(`/users/${ids.invited}`)],
  ]
}

function fallingOut({ school: { client, lessonTypes }, phone, ids }: Life): readonly Step[] {
  const { instructor, other, student, moving, unrelated } = ids
  const drive = { instructor_id: instructor, lesson_type_id: ids.lessonType }
  const theory = { instructor_id: other, lesson_type_id: lessonTypes.THEORY_BASIC }
  // A lesson of that day was booked before the twins were made.
  const days = { start_date: '2031-03-07', end_date: '2031-03-07' }
  const past = { start_at: '2026-05-08 08:00', end_at: '2026-05-08 09:30' }
  const book = (fields: object) => client.post('/appointments', fields)
  return [
    [
      'book as an instructor',
      () => phone.post('/appointments', { ...drive, student_id: moving, ...on('24') }),
    ],
    [
      'book for an unrelated student',
      () => phone.post('/appointments', { ...drive, student_id: unrelated, ...on('24') }),
    ],
    ['book another', () => book({ ...drive, student_id: student, ...on('07', '10:00', '11:30') })],
    [
      'plan an absence',
      () => client.post(`/instructors/${instructor}/absence-plan`, { ...days, may_move: 1 }),
    ],
    ['enter it', () => enterAbsence(client, instructor, days)],
    ...changing(client, { instructor, other, student, lesson_type_id: ids.lessonType }),
    [
      'cancel late, and waive the fee',
      async () => {
        const { body } = await book({ ...drive, student_id: moving, ...past })
        await client.post(`/appointments/${body.id}/cancel`, { by: 'student', note: NUMBER })
        return client.put(`/appointments/${body.id}/fee`, { charge: false })
      },
    ],
    [
      'charge for a no-show',
      async () => {
        const missed = { start_at: '2026-05-09 08:00', end_at: '2026-05-09 09:30' }
        const { body } = await book({ ...drive, student_id: moving, ...missed, status: 'no_show' })
        return client.put(`/appointments/${body.id}/fee`, { charge: true })
      },
    ],
    [
      'a group that was taught',
      () =>
        book({
          ...theory,
          attendees: [{ student_id: student }],
          start_at: '2026-05-11 15:00',
          end_at: '2026-05-11 16:30',
        }),
    ],
    [
      'a group',
      async () => {
        const attendees = [{ student_id: student }, { student_id: moving }, { student_id: unrelated }]
        const { body } = await book({ ...theory, attendees, ...on('26', '15:00', '16:30') })
        await client.delete(`/appointments/${body.id}/attendees/${unrelated}`)
        return client.get(`/appointments/${body.id}`)
      },
    ],
  ]
}

type Changed = Readonly<Record<'instructor' | 'other' | 'student' | 'lesson_type_id', string>>

/** Returns the requests that plan and store the absence of a vehicle, a closed day and a lower limit. */
function changing(client: Client, { instructor, other, student, lesson_type_id }: Changed): readonly Step[] {
  const book = async (instructor_id: string, day: string, more: object = {}) => {
    const lesson = { instructor_id, student_id: student, lesson_type_id, ...more }
    return client.post('/appointments', { ...lesson, ...on(day, '12:00', '13:30') })
  }
  const car = async () => (await client.get('/vehicles')).body[0].id
  const one = { start_date: '2031-03-20', end_date: '2031-03-20', note: NUMBER }
  const closed = { ...one, start_date: '2031-03-21', end_date: '2031-03-21' }
  const lower = { max_daily_units: 1 }
  return [
    ['a lesson with a vehicle', async () => book(instructor, '20', { vehicle_ids: [await car()] })],
    ['another vehicle', () => client.post('/vehicles', { name: 'Twin', kind: 'car' })],
    [
      'its absence',
      async () =>
        decided(client, [`/vehicles/${await car()}/absence-plan`, `/vehicles/${await car()}/absences`], one),
    ],
    ['a lesson after its absence', async () => book(instructor, '22', { vehicle_ids: [await car()] })],
    [
      'its end',
      async () =>
        decided(client, [`/vehicles/${await car()}/change-plan`, `/vehicles/${await car()}/changes`], {
          active: false,
        }),
    ],
    ['use it again', async () => client.patch(`/vehicles/${await car()}`, { active: true })],
    ['a lesson on a day to close', () => book(other, '21')],
    ['close it', () => decided(client, ['/closures/plan', '/closures/decided'], closed)],
    ['a lesson too many', () => book(other, '24')],
    [
      'a lower limit',
      () => decided(client, [`/instructors/${other}/change-plan`, `/instructors/${other}/changes`], lower),
    ],
    ['lift it', () => client.patch(`/instructors/${other}`, { max_daily_units: null })],
  ]
}

/** Records an absence with the plan's proposals as decisions. */
function enterAbsence(client: Client, instructor: string, days: object): Promise<Answer> {
  const path = `/instructors/${instructor}`
  return decided(client, [`${path}/absence-plan`, `${path}/absences`], days)
}

/** Plans a change, and stores it with the proposals as decisions. */
async function decided(client: Client, [plan, path]: [string, string], days: object): Promise<Answer> {
  const { body } = await client.post(plan, days)
  const decisions = body.appointments.map(
    ({ appointment, proposal }: { appointment: { id: string; version: number }; proposal: object }) => ({
      appointment_id: appointment.id,
      version: appointment.version,
      ...proposal,
    }),
  )
  return client.post(path, { ...days, decisions })
}

function offering(service: TestService, { school: { client }, ids }: Life): readonly Step[] {
  const { other, moving, student } = ids
  const gap = { instructor_id: other, lesson_type_id: ids.lessonType, student_ids: [moving, student] }
  const query = new URLSearchParams({ instructor_id: other, ...on('27') })
  const offer = (fields: object) => client.post('/offers', { ...gap, ...fields })
  let taken = ''
  return [
    ['wish', () => client.post(`/students/${moving}/wishes`, { minutes: 90, time_from: '08:00' })],
    ['who could come', () => client.get(`/gaps?${query}`)],
    [
      'class of a student',
      () => client.patch(`/students/${moving}`, { license_class_template_id: ids.template }),
    ],
    [
      'offer',
      async () => {
        const answer = await offer(on('27'))
        taken = answer.body.id
        return answer
      },
    ],
    [
      'accept',
      async () => {
        const { body } = await client.get(`/offers/${taken}`)
        const token = String(body.links[0].url).split('/o/').at(-1)
        return new Client(service).post(`/offers/accept/${token}`)
      },
    ],
    ['the offer', () => client.get(`/offers/${taken}`)],
    ['wishes', () => client.get(`/students/${moving}/wishes`)],
    [
      'withdraw an offer',
      async () => {
        const { body } = await offer(on('28'))
        await client.delete(`/offers/${body.id}`)
        return client.get(`/offers/${body.id}`)
      },
    ],
    [
      'withdraw a wish',
      async () => {
        const { body } = await client.post(`/students/${student}/wishes`, { minutes: 45 })
        return client.delete(`/students/${student}/wishes/${body.id}`)
      },
    ],
  ]
}

function acting(service: TestService, { school: { client }, links, ids }: Life): readonly Step[] {
  const browser = new StudentBrowser(service, links.student)
  const { lesson } = ids
  return [
    ['a wrong birthday', () => browser.submit(lesson, 'prove', { birth_date: '2008-01-01' })],
    ['another wrong one', () => browser.submit(lesson, 'prove', { birth_date: '2008-01-02' })],
    ['the birthday', () => browser.submit(lesson, 'prove', BIRTH)],
    ['confirm', () => browser.submit(lesson, 'confirm')],
    ['let students book', () => client.patch('/tenant', { student_booking: { mode: 'book' } })],
    ['the coming lessons', () => browser.lookAtBooking()],
    ['free times for a lesson', () => browser.searchToBook(ids.lessonType)],
    ['students book no longer', () => client.patch('/tenant', { student_booking: { mode: 'off' } })],
    ['the lesson', () => client.get(`/appointments/${lesson}`)],
  ]
}
