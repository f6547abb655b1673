import type { TestService } from './app.ts'
import { Client, must } from './client.ts'
import { aSchool, type Row } from './factory.ts'

export const OFFERED_TIME = { start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' }

export type OfferOffice = Awaited<ReturnType<typeof anOfferOffice>>

/** Makes a school with an instructor and two students. Returns functions for requests about its offers. */
export async function anOfferOffice(service: TestService) {
  const school = await aSchool(service)
  const instructor = await school.instructor()
  const lena = await school.student({ pickup_place: 'Bahnhof' })
  const emma = await school.student({ first_name: 'Emma' })

  const body = (fields: object = {}) => ({
    instructor_id: instructor.id,
    ...OFFERED_TIME,
    lesson_type_id: school.lessonTypes.PRACTICE,
    student_ids: [lena.id, emma.id],
    expires_at: '2098-01-01T00:00:00.000Z',
    ...fields,
  })
  const offer = async (fields: object = {}): Promise<Row> =>
    must(201, await school.client.post('/offers', body(fields)))
  const read = async ({ id }: Row) => must(200, await school.client.get(`/offers/${id}`))
  const stateOf = async (one: Row) => (await read(one)).state
  const tokenOf = ({ links }: Row, { id }: Row) =>
    String((links as Row[]).find(({ student_id }) => student_id === id)?.url)
      .split('/o/')
      .at(-1)
  const accept = (one: Row, student: Row) =>
    new Client(service).post(`/offers/accept/${tokenOf(one, student)}`)
  const answerOf = async (answer: ReturnType<typeof accept>) => {
    const { status, body } = await answer
    return [status, body.code]
  }

  const undo = async (written: { readonly headers: Headers }) =>
    must(200, await school.client.post(`/changes/sets/${written.headers.get('x-request-id')}/undo`))

  return { school, instructor, lena, emma, body, offer, read, stateOf, tokenOf, accept, answerOf, undo }
}
