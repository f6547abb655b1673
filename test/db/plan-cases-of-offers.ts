import { must } from '../support/client.ts'
import { slot } from '../support/races.ts'
import { type Case, nextMonday, type PlannedOffice } from './plan-cases.ts'

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
