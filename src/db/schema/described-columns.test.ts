import { expect, it } from 'vitest'
import { LessonTypeSchema } from '../../contract/lesson-type.ts'
import { TenantSchema } from '../../contract/tenant.ts'
import { SchoolUserSchema } from '../../contract/user.ts'
import { WebhookSchema } from '../../contract/webhook.ts'
import { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import { INSTRUCTOR_FIELDS } from '../../domain/instructor-fields.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { RESOURCE_ROWS } from '../resources.ts'
import { EXPECTED_SCHEMA } from './made-schema.ts'

type Described = {
  readonly fields: object
  /** The fields that are no columns: they are computed, or stand in another table. */
  readonly elsewhere?: readonly string[]
  /** The columns that clients do not write or see as fields of the same name. */
  readonly beside?: readonly string[]
}

const VERSIONED = ['id', 'version', 'created_at', 'updated_at']

const DESCRIBED: Readonly<Record<string, Described>> = {
  tenants: { fields: TenantSchema.properties, beside: ['retention_notice'] },
  lesson_types: { fields: LessonTypeSchema.properties },
  webhooks: {
    fields: WebhookSchema.properties,
    elsewhere: ['disabled'],
    beside: [
      ...['secret', 'disabled_at', 'position', 'failures', 'failing_since'],
      ...['round', 'turn', 'held_turn', 'next_look_at'],
    ],
  },
  users: {
    fields: SchoolUserSchema.properties,
    elsewhere: [
      ...['disabled', 'state', 'invited_until', 'last_seen_at', 'mail'],
      ...['second_factors', 'requested_email'],
    ],
    beside: ['password_hash', 'disabled_at', 'second_factor', 'inbox_seen_at'],
  },
  students: {
    fields: STUDENT_FIELDS,
    beside: [
      ...['contacts', 'opening_balance', 'archived_at', 'restriction', 'hold_reason', 'hold_until'],
      ...['deleted_at', ...VERSIONED],
    ],
  },
  instructors: { fields: INSTRUCTOR_FIELDS, beside: ['absences', ...VERSIONED] },
  appointments: {
    fields: APPOINTMENT_FIELDS,
    beside: [
      ...['overrides_used', 'series_id', 'license_class', 'cancellation', 'no_show_fee_percent'],
      ...['confirmed_at', 'cancelled_with_student', 'deleted_at', ...VERSIONED],
    ],
  },
  ...Object.fromEntries(
    RESOURCE_ROWS.map(({ table, schema, isPermanent }) => [
      table,
      { fields: schema.properties, beside: isPermanent ? [] : ['deleted_at'] },
    ]),
  ),
}

it.each(Object.entries(DESCRIBED))('%s have a column for each field', (table, { fields, elsewhere = [] }) => {
  const columns = Object.keys(EXPECTED_SCHEMA[table]?.columns ?? {})
  const missing = Object.keys(fields).filter((name) => !columns.includes(name))
  expect(missing, 'write a migration, then run `npm run schema`').toEqual(elsewhere)
})

it.each(Object.entries(DESCRIBED))('%s have a field for each column', (table, { fields, beside = [] }) => {
  const columns = Object.keys(EXPECTED_SCHEMA[table]?.columns ?? {})
  const undescribed = columns.filter((name) => name !== 'tenant_id' && !(name in fields))
  expect(undescribed.toSorted(), 'describe the column, or list it beside the fields').toEqual(
    beside.toSorted(),
  )
})
