import { type Answer, must } from '../support/client.ts'
import { slot } from '../support/races.ts'
import { type Case, nextMonday, type PlannedOffice, week } from './plan-cases.ts'

/** The statements that book, move, delete and check lessons. */
export const casesOfBookings: readonly Case[] = [
  {
    name: 'a booking',
    status: 201,
    reads: 'appointments',
    ask: (office) => book(office, slot(nextMonday, 16 * 60)),
  },
  {
    name: 'a booking with a key',
    status: 201,
    reads: 'appointments',
    ask: (office) => book(office, slot(nextMonday, 21 * 60), 'plan'),
  },
  {
    name: 'the same booking, sent again',
    status: 201,
    reads: 'idempotency_keys',
    by: 'idempotency_keys_pkey',
    ask: (office) => book(office, slot(nextMonday, 21 * 60), 'plan'),
  },
  {
    name: 'a series',
    status: 200,
    // Alternatives for a refused lesson depend on the student's past lessons.
    ofWhole: 'student',
    reads: 'idempotency_keys',
    ask: bookSeries,
  },
  {
    name: 'the lessons of a series',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_series',
    ask: async (office) => {
      const id = await idOfSeries(office)
      return office.school.client.get(`/appointments?series_id=${id}`)
    },
  },
  {
    name: 'the cancellation of a series',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_series',
    ask: async (office) => {
      const path = `/appointments/series/${await idOfSeries(office)}/cancel`
      return office.school.client.post(path, { from: nextMonday })
    },
  },
  {
    name: 'a refused booking',
    status: 409,
    reads: 'appointments',
    ask: (office) => book(office, slot(nextMonday, 16 * 60 + 15)),
  },
  {
    name: 'a check of what is refused, with alternatives',
    status: 200,
    reads: 'appointments',
    ofWhole: 'student',
    ask: ({ school, instructors, students }) =>
      school.client.post('/appointments/check', {
        ...{ instructor_id: instructors[0], student_id: students[0] },
        lesson_type_id: school.lessonTypes.PRACTICE,
        ...slot(nextMonday, 16 * 60 + 15),
      }),
  },
  {
    name: 'free times of all instructors',
    status: 200,
    reads: 'appointments',
    ask: ({ school }) => school.client.get(`/slots?${week}&minutes=45`),
  },
  {
    name: 'free times for a student',
    status: 200,
    reads: 'appointments',
    ofWhole: 'student',
    ask: ({ school, instructors, students }) =>
      school.client.get(
        `/slots?${week}&lesson_type_id=${school.lessonTypes.PRACTICE}&student_id=${students[0]}&instructor_id=${instructors[0]}`,
      ),
  },
  {
    name: 'free times for a lesson that is moved',
    status: 200,
    reads: 'appointments',
    ofWhole: 'student',
    ask: ({ school, instructors, students, lessons }) =>
      school.client.get(
        `/slots?${week}&lesson_type_id=${school.lessonTypes.PRACTICE}&student_id=${students[0]}&instructor_id=${instructors[0]}&appointment_id=${lessons[0]}`,
      ),
  },
  {
    name: 'a change of times',
    status: 200,
    reads: 'appointments',
    ask: (office) =>
      office.school.client.patch(`/appointments/${office.lessons[0]}`, slot(nextMonday, 18 * 60)),
  },
  {
    name: 'a change of the instructor and the student',
    status: 200,
    reads: 'appointments',
    ask: (office) =>
      office.school.client.patch(`/appointments/${office.lessons[0]}`, {
        ...slot(nextMonday, 20 * 60),
        instructor_id: office.instructors[1],
        student_id: office.students[1],
      }),
  },
  {
    name: 'a change of notes',
    status: 200,
    reads: 'appointments',
    ask: (office) => office.school.client.patch(`/appointments/${office.lessons[0]}`, { notes: 'Motorway' }),
  },
  {
    name: 'a deletion',
    status: 204,
    reads: 'appointments',
    ask: (office) => office.school.client.delete(`/appointments/${office.lessons[1]}`),
  },
  {
    name: 'a restoration',
    status: 200,
    reads: 'appointments',
    ask: async ({ school, lessons, forget }) => {
      await school.client.delete(`/appointments/${lessons[2]}`)
      forget()
      return school.client.post(`/appointments/${lessons[2]}/restore`)
    },
  },
]

function book(
  { school, instructors, students }: PlannedOffice,
  times: object,
  key?: string,
): Promise<Answer> {
  const lesson = { instructor_id: instructors[0], student_id: students[0], ...times }
  return school.book(lesson, key === undefined ? {} : { 'idempotency-key': key })
}

function bookSeries({ school, instructors, students }: PlannedOffice): Promise<Answer> {
  const people = { instructor_id: instructors[6], student_id: students[8] }
  const times = slot('2045-01-02', 600)
  const appointment = { ...people, lesson_type_id: school.lessonTypes.PRACTICE, ...times }
  const body = { appointment, repeat: { every_weeks: 1, count: 3 } }
  return school.client.post('/appointments/series', body, { 'idempotency-key': 'series' })
}

/** Books the series, or repeats its request, and discards the statements recorded so far. Returns the series' id. */
async function idOfSeries(office: PlannedOffice): Promise<string> {
  const { body } = await bookSeries(office)
  office.forget()
  return body.series_id
}

/** The statements on wishes, free times and offers. */
export const casesOfOffers: readonly Case[] = [
  {
    name: 'a wish, its list and its withdrawal',
    status: 204,
    reads: 'wishes',
    by: 'wishes_of_student',
    ask: async (office) => {
      const { path, wish } = await aWish(office, 8)
      await office.school.client.get(path)
      return office.school.client.delete(`${path}/${wish.id}`)
    },
  },
  {
    name: 'the withdrawal of a wish that an offer answers, beside another',
    status: 204,
    reads: 'offer_links',
    ask: async (office) => {
      const { path, wish } = await aWish(office, 9)
      await aWish(office, 9)
      await office.school.client.post('/offers', offered(office, [9], 6))
      office.forget()
      return office.school.client.delete(`${path}/${wish.id}`)
    },
  },
  {
    name: 'an undo of the withdrawal of a wish',
    status: 200,
    reads: 'wishes',
    by: 'wishes_of_student',
    ask: async (office) => {
      const { path, wish } = await aWish(office, 10)
      const withdrawn = await office.school.client.delete(`${path}/${wish.id}`)
      office.forget()
      return office.school.client.post(`/changes/sets/${withdrawn.headers.get('x-request-id')}/undo`)
    },
  },
  {
    name: 'when a student can come in a week, entered, read and taken back',
    status: 204,
    ofWhole: 'student',
    reads: 'availability',
    ask: async ({ school, students }) => {
      const path = `/students/${students[11]}/availability/2027-03-01`
      await school.client.put(path, { lessons: 2, windows: null })
      await school.client.get(path)
      return school.client.delete(path)
    },
  },
  {
    name: 'the students who could come',
    status: 200,
    ofWhole: 'student',
    reads: 'wishes',
    by: 'wishes_of_student',
    ask: ({ school, instructors }) => {
      const query = new URLSearchParams({
        instructor_id: String(instructors[0]),
        ...slot(nextMonday, 20 * 60),
      })
      return school.client.get(`/gaps?${query}`)
    },
  },
  ...['', '?limit=10'].map((query) => ({
    name: `the offers${query}`,
    status: 200,
    reads: 'offer_links',
    ask: async (office: PlannedOffice) => {
      await office.school.client.post('/offers', offered(office, [11, 12], 7))
      office.forget()
      return office.school.client.get(`/offers${query}`)
    },
  })),
  {
    name: 'an offer and its acceptance',
    status: 200,
    reads: 'offer_links',
    by: 'offer_links_token_hash_key',
    ask: async (office) => {
      const { client } = office.school
      const offer = must(201, await client.post('/offers', offered(office, [13, 14], 8)))
      await client.get(`/offers/${offer.id}`)
      const token = String((offer.links as { url: string }[])[0]?.url)
        .split('/')
        .at(-1)
      return office.visitor().post(`/offers/accept/${token}`)
    },
  },
  {
    name: 'the withdrawal of an offer',
    status: 204,
    reads: 'offers',
    by: 'offers_pkey',
    ask: async (office) => {
      const offer = must(201, await office.school.client.post('/offers', offered(office, [15], 9)))
      office.forget()
      return office.school.client.delete(`/offers/${offer.id}`)
    },
  },
]

async function aWish({ school, students }: PlannedOffice, student: number) {
  const path = `/students/${students[student]}/wishes`
  const { body: wish } = await school.client.post(path, { minutes: 45 })
  return { path, wish }
}

/** Returns the body of an offer of an instructor's free evening to students. */
function offered(
  { school, instructors, students }: PlannedOffice,
  to: readonly number[],
  instructor: number,
) {
  return {
    instructor_id: instructors[instructor],
    lesson_type_id: school.lessonTypes.PRACTICE,
    student_ids: to.map((at) => students[at]),
    ...slot(nextMonday, 20 * 60),
  }
}
