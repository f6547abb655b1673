import type { TestService } from './app.ts'
import type { Answer, Headings } from './client.ts'
import { aSchool, type School } from './factory.ts'

export const MONDAY = '2099-03-02'

type Fields = Readonly<Record<string, unknown>>

/** A school with an instructor and a student, who have a lesson at eight on the Monday, again and again. */
export class SeriesOffice {
  readonly school: School
  readonly instructor: string
  readonly student: string

  constructor(school: School, instructor: string, student: string) {
    this.school = school
    this.instructor = instructor
    this.student = student
  }

  /** The body of the first lesson. */
  lesson(fields: Fields = {}): Fields {
    const people = { instructor_id: this.instructor, student_id: this.student }
    const times = { start_at: `${MONDAY} 08:00`, end_at: `${MONDAY} 09:30` }
    return { ...people, lesson_type_id: this.school.lessonTypes.PRACTICE, ...times, ...fields }
  }

  /** Asks for a series of it; the answer may be a refusal. */
  series(repeat: Fields, more: Fields = {}, headers?: Headings): Promise<Answer> {
    const body = { appointment: this.lesson(), repeat, ...more }
    return this.school.client.post('/appointments/series', body, headers)
  }

  /** All lessons of the school. */
  async all() {
    return (await this.school.client.get('/appointments')).body
  }
}

/** An office of a school of its own. */
export async function aSeriesOffice(service: TestService): Promise<SeriesOffice> {
  const school = await aSchool(service)
  return new SeriesOffice(school, (await school.instructor()).id, (await school.student()).id)
}
