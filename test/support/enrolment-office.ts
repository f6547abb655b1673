import type { TestService } from './app.ts'
import { type Answer, must } from './client.ts'
import { aSchool, type Row, type School } from './factory.ts'
import { at } from './times.ts'

export const TODAY = '2030-05-01'

/** A school on `TODAY`, with its classes by code, and shortcuts for students and their enrolments. */
export type EnrolmentOffice = {
  readonly school: School
  readonly classes: Readonly<Record<string, string>>
  readonly lena: (code?: string | null) => Promise<Row>
  readonly enrolments: (student: Row) => Promise<Row[]>
  readonly enrol: (student: Row, code: string, fields?: object) => Promise<Answer>
  readonly change: (enrolment: Row, fields: object) => Promise<Answer>
  readonly classOf: (student: Row) => Promise<string | null>
  readonly drive: (student: Row, day: string, fields?: object) => Promise<Row>
}

export async function anEnrolmentOffice(service: TestService): Promise<EnrolmentOffice> {
  service.setClock(new Date(`${TODAY}T06:00:00Z`))
  const school = await aSchool(service)
  const { client } = school
  const templates = must(200, await client.get('/license-class-templates'))
  const classes = Object.fromEntries(templates.map(({ code, id }: Row) => [code, id]))
  return {
    school,
    classes,
    lena: (code = 'B') => school.student({ license_class_template_id: code && classes[code] }),
    enrolments: async ({ id }) => must(200, await client.get(`/students/${id}/enrolments`)),
    enrol: ({ id }, code, fields = {}) =>
      client.post(`/students/${id}/enrolments`, { template_id: classes[code], ...fields }),
    change: ({ id }, fields) => client.patch(`/enrolments/${id}`, fields),
    classOf: async ({ id }) => must(200, await client.get(`/students/${id}`)).license_class_template_id,
    drive: async ({ id: student_id }, day, fields = {}) => {
      const { id: instructor_id } = await school.instructor()
      const lesson_type_id = school.lessonTypes.RURAL
      return school.lesson({
        instructor_id,
        student_id,
        lesson_type_id,
        ...at('10:00', '11:30', day),
        ...fields,
      })
    },
  }
}
