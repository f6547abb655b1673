import type { TestService } from './app.ts'
import type { Answer, Headings } from './client.ts'
import { aSchool, type School } from './factory.ts'

export const MONDAY = '2099-03-02'

type Fields = Readonly<Record<string, unknown>>

/** A school with an instructor and a student who have lessons on Mondays at eight. */
export class SeriesOffice {
  readonly school: School
  readonly instructor: string
  readonly student: string

  constructor(school: School, instructor: string, student: string) {
    this.school = school
    this.instructor = instructor
    this.student = student
  }

  /** Returns the body of the first lesson. */
  lesson(fields: Fields = {}): Fields {
    const people = { instructor_id: this.instructor, student_id: this.student }
    const times = { start_at: `${MONDAY} 08:00`, end_at: `${MONDAY} 09:30` }
    return { ...people, lesson_type_id: this.school.lessonTypes.PRACTICE, ...times, ...fields }
  }

  /** Requests a series of the first lesson. The response may be a refusal. */
  series(repeat: Fields, more: Fields = {}, headers?: Headings): Promise<Answer> {
    const body = { appointment: this.lesson(), repeat, ...more }
    return this.school.client.post('/appointments/series', body, headers)
  }

  /** Returns all lessons of the school. */
  async all() {
    return (await this.school.client.get('/appointments')).body
  }
}

/** Makes an office with a new school. */
export async function aSeriesOffice(service: TestService): Promise<SeriesOffice> {
  const school = await aSchool(service)
  return new SeriesOffice(school, (await school.instructor()).id, (await school.student()).id)
}
