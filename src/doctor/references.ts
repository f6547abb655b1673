import { RESOURCE_ROWS } from '../db/resources.ts'
import { EXPECTED_SCHEMA } from '../db/schema/made-schema.ts'
import { CALENDARS, OCCUPANT_KINDS, OCCUPANTS } from '../domain/occupants.ts'

export type Reference = {
  readonly table: string
  readonly column: string
  readonly parent: string
  readonly resource: string
  readonly owner: string
  /** Whether the column is a list: `true` for a list of ids, or the name of the id in a list of objects. */
  readonly isList?: true | 'student_id' | undefined
}

type ReferringTable = Pick<Reference, 'resource'> & {
  /** The column with the resource's id, by default `id`. */
  readonly owner?: string
  readonly columns: Readonly<Record<string, string>>
}

const occupying = OCCUPANT_KINDS.map((kind) => OCCUPANTS[kind])

/** The references within a school, except those to calendars and between locations (see `row-checks.ts`). */
const REFERRING: Readonly<Record<string, ReferringTable>> = {
  appointments: {
    resource: 'appointment',
    columns: {
      ...Object.fromEntries(occupying.map(({ field, calendar }) => [field, CALENDARS[calendar]])),
      enrolment_id: 'enrolments',
      lesson_type_id: 'lesson_types',
      location_id: 'locations',
    },
  },
  instructors: {
    resource: 'instructor',
    columns: { usual_vehicle_id: 'vehicles', location_id: 'locations' },
  },
  students: {
    resource: 'student',
    columns: {
      preferred_instructor_id: 'instructors',
      license_class_template_id: 'license_class_templates',
    },
  },
  availability_windows: {
    resource: 'availability_window',
    owner: 'instructor_id',
    columns: { instructor_id: 'instructors' },
  },
  vacations: { resource: 'vacation', owner: 'instructor_id', columns: { instructor_id: 'instructors' } },
  offers: {
    resource: 'offer',
    columns: {
      instructor_id: 'instructors',
      lesson_type_id: 'lesson_types',
      appointment_id: 'appointments',
      taken_by: 'students',
    },
  },
  offer_links: {
    resource: 'offer',
    owner: 'offer_id',
    columns: { offer_id: 'offers', student_id: 'students' },
  },
  signatures: {
    resource: 'signature',
    columns: { student_id: 'students', enrolment_id: 'enrolments', appointment_id: 'appointments' },
  },
  push_subscriptions: { resource: 'student', owner: 'student_id', columns: { student_id: 'students' } },
  ...Object.fromEntries(
    RESOURCE_ROWS.map(({ table, resource, references = {} }) => [table, { resource, columns: references }]),
  ),
  template_requirements: {
    resource: 'template_requirement',
    owner: 'license_class_template_id',
    columns: { license_class_template_id: 'license_class_templates', lesson_type_id: 'lesson_types' },
  },
}

const LISTS: Readonly<Record<string, Reference['isList']>> = Object.fromEntries(
  occupying.map(({ field, list }) => [field, list]),
)

export const REFERENCES: readonly Reference[] = [
  ...Object.entries(REFERRING).flatMap(([table, { resource, owner = 'id', columns }]) =>
    Object.entries(columns).map(([column, parent]) => {
      return { table, column, parent, resource, owner, isList: LISTS[column] }
    }),
  ),
  // The two kinds of links are two resources.
  { table: 'links', column: 'instructor_id', parent: 'instructors', resource: 'calendar_feed', owner: 'id' },
  { table: 'links', column: 'student_id', parent: 'students', resource: 'student_link', owner: 'id' },
]

/** The tables with a `tenant_id`. */
export const SCHOOL_TABLES: readonly string[] = Object.entries(EXPECTED_SCHEMA)
  .filter(([, { columns }]) => 'tenant_id' in columns)
  .map(([table]) => table)
