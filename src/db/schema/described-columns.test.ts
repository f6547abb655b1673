import { expect, it } from 'vitest'
import { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import { INSTRUCTOR_FIELDS } from '../../domain/instructor-fields.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { RESOURCE_ROWS } from '../resources.ts'
import { EXPECTED_SCHEMA } from './made-schema.ts'

const DESCRIBED: readonly (readonly [string, object])[] = [
  ['students', STUDENT_FIELDS],
  ['instructors', INSTRUCTOR_FIELDS],
  ['appointments', APPOINTMENT_FIELDS],
  ...RESOURCE_ROWS.map(({ table, schema }) => [table, schema.properties] as const),
]

it.each(DESCRIBED)('%s have a column for each field', (table, fields) => {
  const columns = Object.keys(EXPECTED_SCHEMA[table]?.columns ?? {})
  const missing = Object.keys(fields).filter((name) => !columns.includes(name))
  expect(missing, 'write a migration, then run `npm run schema`').toEqual([])
})
