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
