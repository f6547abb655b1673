import type { TestService } from './app.ts'
import type { Answer } from './client.ts'
import { aSchool, type Row, type School } from './factory.ts'

/** 08:00 in Berlin on the Friday before the Monday on which the instructor falls ill. */
const NOW = new Date('2030-05-03T06:00:00.000Z')
export const [MONDAY, TUESDAY, WEDNESDAY] = ['2030-05-06', '2030-05-07', '2030-05-08']
export const HOURS = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '16:00' }))

/** A school with an instructor who falls ill, another one, and a student. */
export class AbsenceOffice {
  readonly school: School
  readonly ill: Row
  readonly other: Row
  readonly lena: Row

  constructor(school: School, { ill, other, lena }: { ill: Row; other: Row; lena: Row }) {
    this.school = school
    this.ill = ill
    this.other = other
    this.lena = lena
  }

  static async open(service: TestService): Promise<AbsenceOffice> {
    service.setClock(NOW)
    const school = await aSchool(service)
    const ill = await school.instructor({ last_name: 'Krüger', availability_windows: HOURS })
    const other = await school.instructor({ last_name: 'Brandt', availability_windows: HOURS })
    const lena = await school.student({ phone: '+49 30 1', phone_2: '0171 2' })
    return new AbsenceOffice(school, { ill, other, lena })
  }

  /** Books a lesson of an hour with the instructor who falls ill. */
  lesson(day: string, hour: number, fields: object = {}): Promise<Row> {
    return this.school.lesson({
      instructor_id: this.ill.id,
      student_id: this.lena.id,
      start_at: `${day} ${two(hour)}:00`,
      end_at: `${day} ${two(hour + 1)}:00`,
      ...fields,
    })
  }

  plan(more: object = {}): Promise<Answer> {
    return this.school.client.post(`/instructors/${this.ill.id}/absence-plan`, away(more))
  }

  record(decisions: object[], more: object = {}, headers = {}): Promise<Answer> {
    const path = `/instructors/${this.ill.id}/absences`
    return this.school.client.post(path, { ...away(more), decisions }, headers)
  }

  async read(id: string) {
    return (await this.school.client.get(`/appointments/${id}`)).body
  }

  undo(set: string): Promise<Answer> {
    return this.school.client.post(`/changes/sets/${set}/undo`)
  }
}

const two = (hour: number) => String(hour).padStart(2, '0')

/** Returns an absence, by default on Monday and Tuesday. */
export function away(more: object = {}) {
  return { start_date: MONDAY, end_date: TUESDAY, note: 'ill', ...more }
}

/** Returns a decision on a lesson. */
export function on({ id, version }: Row, action: string, more: object = {}) {
  return { appointment_id: id, version, action, ...more }
}
