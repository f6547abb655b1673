import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { must } from '../support/client.ts'
import { openForm, sendForm } from '../support/enquiries.ts'
import type { Row } from '../support/factory.ts'
import { thisMonday } from '../support/history.ts'
import { addStudents } from '../support/long-list.ts'
import { dateAfter, slot } from '../support/races.ts'
import { type Case, nextMonday, type PlannedOffice, week } from './plan-cases.ts'

/** The statements about the school, its students and instructors, and computed from their lessons. */
export const casesOfPeople: readonly Case[] = [
  {
    name: 'the school',
    status: 200,
    reads: 'tenants',
    ask: ({ school }) => school.client.get('/tenant'),
  },
  {
    name: 'a change of the school, also of its language',
    status: 200,
    reads: 'lesson_types',
    ask: ({ school }) => school.client.patch('/tenant', { name: 'Fahrschule Süd', locale: 'en' }),
  },
  {
    name: 'a move of a lesson type',
    status: 200,
    reads: 'lesson_types',
    ask: ({ school }) =>
      school.client.patch(`/tenant/lesson-types/${school.lessonTypes.NIGHT}`, { position: 0, name: 'Nacht' }),
  },
  {
    name: 'a change of a student',
    status: 200,
    reads: 'students',
    ask: ({ school, students }) => school.client.patch(`/students/${students[2]}`, { phone: '112' }),
  },
  {
    name: 'a deletion of a student',
    status: 204,
    ofWhole: 'student',
    reads: 'appointments',
    ask: ({ school, students }) => school.client.delete(`/students/${students[3]}`),
  },
  {
    name: 'a restoration of a student with a lesson',
    status: 200,
    ofWhole: 'student',
    reads: 'appointments',
    ask: async ({ school, students, instructors, forget }) => {
      const time = slot(nextMonday, 20 * 60)
      await school.lesson({ instructor_id: instructors[4], student_id: students[4], ...time })
      await school.client.delete(`/students/${students[4]}`)
      forget()
      return school.client.post(`/students/${students[4]}/restore`)
    },
  },
  {
    name: 'a change of an instructor',
    status: 200,
    reads: 'instructors',
    ask: ({ school, instructors }) =>
      school.client.patch(`/instructors/${instructors[5]}`, {
        max_daily_units: 7,
        availability_windows: [{ weekday: 1, start: '06:00', end: '22:00' }],
        vacations: [],
      }),
  },
  {
    name: 'a request of an instructor, and its acceptance',
    status: 200,
    reads: 'schedule_requests',
    ask: async ({ school, instructors }) => {
      const asked = { instructor_id: instructors[6], start_date: '2098-08-03', end_date: '2098-08-14' }
      const { body } = await school.client.post('/schedule-requests', asked)
      return school.client.patch(`/schedule-requests/${body.id}`, { status: 'accepted' })
    },
  },
  ...['?status=open', '?limit=5'].map((query) => ({
    name: `the requests with ${query}`,
    status: 200,
    reads: 'schedule_requests',
    ask: ({ school }: PlannedOffice) => school.client.get(`/schedule-requests${query}`),
  })),
  {
    name: 'the progress of a student',
    status: 200,
    ofWhole: 'student',
    reads: 'appointments',
    by: 'appointments_of_student',
    ask: ({ school, students }) => school.client.get(`/students/${students[0]}/progress`),
  },
  {
    name: 'a page of the students with their progress',
    status: 200,
    ofWhole: 'student',
    reads: 'appointments',
    by: 'appointments_of_student',
    ask: ({ school }) => school.client.get('/students?with=progress&limit=10'),
  },
  {
    name: 'the impact of a change of an instructor',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_instructor',
    ask: ({ school, instructors }) =>
      school.client.post(`/instructors/${instructors[0]}/impact`, { active: false }),
  },
  {
    name: 'a file of students, and what it would do',
    status: 200,
    reads: 'students',
    ask: async ({ school }) => {
      const file = Buffer.from('Vorname;Name;Klasse;Fahrlehrer\nAda;Lovelace;B197;').toString('base64')
      await school.client.post('/student-imports/check', { file })
      return school.client.post('/student-imports', { file })
    },
  },
  {
    name: 'all students as a file',
    status: 200,
    reads: 'students',
    ask: ({ school }) => school.client.get('/exports/students.csv'),
  },
  ...['appointments', 'worked-time', 'missed-appointments'].map((name) => ({
    name: `a week's ${name} as a file`,
    status: 200,
    reads: 'appointments',
    ask: ({ school }: PlannedOffice) => school.client.get(`/exports/${name}.csv?${week}`),
  })),
  {
    name: 'the minutes of a month',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_instructor',
    ask: ({ school }) => school.client.get(`/minutes?month=${thisMonday().slice(0, 7)}`),
  },
  {
    name: "the owner's numbers of a year",
    status: 200,
    ofWhole: 'school',
    reads: 'appointments',
    by: 'appointments_with_outcome',
    ask: ({ school }) => {
      const monday = thisMonday()
      return school.client.get(`/numbers?from=${dateAfter(monday, -300)}&to=${dateAfter(monday, 60)}`)
    },
  },
  {
    name: 'the students who are due on a day',
    status: 200,
    ofWhole: 'student',
    reads: 'enrolments',
    ask: ({ school }) => school.client.get('/retention?on=2090-01-01'),
  },
  {
    name: 'everything that students have to sign',
    status: 200,
    ofWhole: 'student',
    reads: 'signatures',
    ask: async ({ school, instructors, forget }) => {
      const { id } = await school.student()
      const time = slot(dateAfter(thisMonday(), -7), 20 * 60)
      const lesson = await school.lesson({ instructor_id: instructors[7], student_id: id, ...time })
      await school.client.patch(`/appointments/${lesson.id}`, { status: 'completed' })
      forget()
      return school.client.get(`/signatures/due?student_id=${id}`)
    },
  },
  {
    name: 'a list with progress of more than a page',
    status: 200,
    ofWhole: 'student',
    reads: 'appointments',
    by: 'appointments_of_student',
    ask: async ({ service, school, forget }) => {
      await addStudents(service, school, 1001)
      forget()
      return school.client.get('/students?with=progress')
    },
  },
  {
    name: 'a list with ticks of more than a page',
    status: 200,
    ofWhole: 'papers',
    reads: 'appointments',
    by: 'appointments_with_result',
    ask: async ({ service, school, forget }) => {
      await addStudents(service, school, 1001)
      forget()
      return school.client.get('/students?with=ticks')
    },
  },
]

/** The statements about enquiries, calls, doubles and the calendars that instructors keep elsewhere. */
export const casesOfOutside: readonly Case[] = [
  {
    name: 'the page of the form for enquiries',
    status: 200,
    reads: 'tenants',
    by: 'tenants_by_slug',
    ask: async (office) => {
      const slug = await openForm(office.school)
      office.forget()
      return office.visitor().get(`//e/${slug}`)
    },
  },
  {
    name: 'an enquiry',
    status: 202,
    reads: 'tenants',
    by: 'tenants_by_slug',
    ask: async (office) => {
      const slug = await openForm(office.school)
      office.forget()
      return sendForm(office.service, slug)
    },
  },
  ...['/enquiries', '/enquiries?state=new', '/enquiries?limit=5'].map((path) => ({
    name: `the list ${path}`,
    status: 200,
    reads: 'enquiries',
    ask: ({ school }: PlannedOffice) => school.client.get(path),
  })),
  {
    name: 'the enrolment of an enquiry',
    status: 201,
    reads: 'enquiries',
    by: 'enquiries_pkey',
    ask: async (office) => office.school.client.post(`/enquiries/${await enquiryOf(office)}/enrol`),
  },
  {
    name: 'an enquiry that is closed',
    status: 200,
    reads: 'enquiries',
    by: 'enquiries_pkey',
    ask: async (office) => office.school.client.post(`/enquiries/${await enquiryOf(office)}/close`),
  },
  {
    name: 'the merge of two students',
    status: 200,
    ofWhole: 'student',
    reads: 'enquiries',
    by: 'enquiries_of_student',
    ask: async ({ school, forget }) => {
      const [self, other] = [await school.student(), await school.student()]
      forget()
      return school.client.post(`/students/${self.id}/merge`, { other_id: other.id })
    },
  },
  {
    name: 'the inbox, with its enquiries, calls and unreadable calendars',
    status: 200,
    reads: 'enquiries',
    ask: ({ school }) => school.client.get('/inbox'),
  },
  {
    name: 'a calendar of an instructor, added and listed',
    status: 200,
    reads: 'busy_calendars',
    by: 'busy_calendars_of_instructor',
    ask: async (office) => {
      const path = `/instructors/${office.instructors[8]}/busy-calendars`
      await aCalendar(office, path)
      return office.school.client.get(path)
    },
  },
  {
    name: 'a calendar of an instructor, deleted',
    status: 204,
    reads: 'busy_calendars',
    ask: async (office) => {
      const path = `/instructors/${office.instructors[8]}/busy-calendars`
      const { id } = await aCalendar(office, path)
      office.forget()
      return office.school.client.delete(`${path}/${id}`)
    },
  },
  {
    name: 'the busy times of a week',
    status: 200,
    reads: 'busy_times',
    ask: ({ school }) => school.client.get(`/busy-times?from=${nextMonday}&to=${dateAfter(nextMonday, 6)}`),
  },
  {
    name: 'a booking in a busy time that the school refuses',
    status: 409,
    reads: 'busy_times',
    by: 'busy_times_pkey',
    ask: async ({ service, school, instructors, students, forget }) => {
      must(200, await school.client.patch('/tenant', { busy_calendars: 'refuse' }))
      const day = dateAfter(nextMonday, 1)
      await sql`insert into busy_times (tenant_id, instructor_id, calendar_id, times)
        values (${school.tenantId}, ${instructors[9]}, ${randomUUID()}, ${`{["${day} 16:00","${day} 18:00")}`}::tsmultirange)`.execute(
        service.db,
      )
      forget()
      const lesson = { lesson_type_id: school.lessonTypes.PRACTICE, title: 'Lesson' }
      const people = { instructor_id: instructors[9], student_id: students[5] }
      return school.client.post('/appointments', { ...lesson, ...people, ...slot(day, 16 * 60) })
    },
  },
]

/** Sends an enquiry and discards the statements recorded so far. Returns its id. */
async function enquiryOf({ service, school, forget }: PlannedOffice): Promise<string> {
  must(202, await sendForm(service, await openForm(school)))
  const [enquiry] = must(200, await school.client.get('/enquiries?state=new&limit=1')) as Row[]
  forget()
  return String(enquiry?.id)
}

async function aCalendar({ school }: PlannedOffice, path: string): Promise<Row> {
  return must(
    201,
    await school.client.post(path, { name: 'Private', url: 'https://203.0.113.7/private.ics' }),
  )
}
