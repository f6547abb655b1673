import { must } from './client.ts'
import type { Row, School } from './factory.ts'

/** A student whose only training ended with a drive in 2019, so that every country's time is over. */
export async function aDueStudent(school: School, fields: object = {}): Promise<Row> {
  const { client } = school
  const [template] = must(200, await client.get('/license-class-templates'))
  const student = await school.student({ license_class_template_id: template.id, ...fields })
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: '2019-05-04 08:00', end_at: '2019-05-04 09:30', status: 'completed' }
  await school.lesson({ instructor_id, student_id: student.id, ...times })
  const [enrolment] = must(200, await client.get(`/students/${student.id}/enrolments`))
  const ended = { begins_on: '2019-01-02', outcome: 'stopped', ends_on: '2019-06-01' }
  must(200, await client.patch(`/enrolments/${enrolment.id}`, ended))
  return student
}
