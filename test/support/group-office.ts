import type { TestService } from './app.ts'
import type { Answer } from './client.ts'
import { aSchool, type Row, type School } from './factory.ts'

/** A school with two instructors and four students for groups of theory. */
export type GroupOffice = Awaited<ReturnType<typeof aGroupOffice>>

export async function aGroupOffice(service: TestService) {
  const school = await aSchool(service)
  const [jonas, ute] = [await school.instructor(), await school.instructor({ first_name: 'Ute' })]
  const students = await Promise.all(Array.from({ length: 4 }, () => school.student()))
  const idAt = (index: number) => students[index]?.id ?? ''
  const bookGroup = (fields: object) =>
    school.book({ instructor_id: jonas.id, lesson_type_id: theoryOf(school), ...fields })
  return {
    school,
    jonas,
    ute,
    idAt,
    bookGroup,
    group: async (fields: object): Promise<Row> => {
      const answer = await bookGroup(fields)
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.body
    },
    those: (...indexes: number[]) => indexes.map((index) => ({ student_id: idAt(index) })),
    seat: (lesson: Row, index: number) => `/appointments/${lesson.id}/attendees/${idAt(index)}`,
    namesOf: ({ body }: Answer) =>
      body.attendees.map(({ student_id }: { student_id: string }) =>
        students.findIndex(({ id }) => id === student_id),
      ),
    undo: (answer: Answer) => school.client.post(`/changes/sets/${answer.headers.get('x-request-id')}/undo`),
  }
}

export const theoryOf = (school: School) => school.lessonTypes.THEORY_BASIC

/** Returns times on an evening in May 2040. */
export const at = (day: string, from = '18:00', to = '19:30') => ({
  start_at: `2040-05-${day} ${from}`,
  end_at: `2040-05-${day} ${to}`,
})

export const faultsOf = ({ status, body }: Answer) => [
  status,
  body.errors?.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
]
