import { expect } from 'vitest'
import type { TestService } from './app.ts'
import type { Answer } from './client.ts'
import { aSchool, type Row, type School } from './factory.ts'

/** A Monday at 08:00 in Berlin, in summer time. Most lessons are on Wednesday at 08:00. */
export const NOW = new Date('2030-05-06T06:00:00.000Z')
export const START = '2030-05-08 08:00'

/** A school with an instructor and a student, on a Monday in May 2030. */
export class CancellationOffice {
  readonly school: School
  readonly instructor: Row
  readonly student: Row

  constructor(school: School, instructor: Row, student: Row) {
    this.school = school
    this.instructor = instructor
    this.student = student
  }

  static async open(service: TestService): Promise<CancellationOffice> {
    service.setClock(NOW)
    const school = await aSchool(service)
    return new CancellationOffice(school, await school.instructor(), await school.student())
  }

  /** Books a lesson of 90 minutes. */
  lessonAt(start_at = START, more: object = {}): Promise<Row> {
    const [day, hour] = [start_at.slice(0, 10), Number(start_at.slice(11, 13)) + 1]
    const end_at = `${day} ${String(hour).padStart(2, '0')}:30`
    return this.school.lesson({
      instructor_id: this.instructor.id,
      student_id: this.student.id,
      start_at,
      end_at,
      ...more,
    })
  }

  async policy(...cancellation_policy: object[]): Promise<void> {
    const { status, text } = await this.school.client.patch('/tenant', { cancellation_policy })
    expect(status, text).toBe(200)
  }

  cancel(id: string, body: object, headers?: Record<string, string>): Promise<Answer> {
    return this.school.client.post(`/appointments/${id}/cancel`, body, headers)
  }

  async read(id: string) {
    return (await this.school.client.get(`/appointments/${id}`)).body
  }
}

/** Returns a step of a cancellation policy. */
export function step(notice: object, fee_percent = 80, categories: string[] | null = null) {
  return { categories, notice, fee_percent }
}
