import type { Resource } from '../contract/change.ts'
import type { ResourceRows } from './resource-rows.ts'
import { CLOSURES } from './school/closures.ts'
import { LOCATIONS } from './school/locations.ts'
import { SCHEDULE_REQUESTS } from './school/schedule-requests.ts'
import { VEHICLES } from './school/vehicles.ts'
import { AVAILABILITY } from './students/availability.ts'
import { ENROLMENTS } from './students/enrolments.ts'
import { TICKS } from './students/ticks.ts'
import { WISHES } from './students/wishes.ts'

export const RESOURCE_ROWS: readonly ResourceRows[] = [
  VEHICLES,
  LOCATIONS,
  CLOSURES,
  SCHEDULE_REQUESTS,
  WISHES,
  AVAILABILITY,
  ENROLMENTS,
  TICKS,
]

export const HISTORIC_TABLES: readonly (readonly [Resource, string])[] = [
  ['appointment', 'appointments'],
  ['student', 'students'],
  ['instructor', 'instructors'],
  ...RESOURCE_ROWS.flatMap(({ resource, table, hasHistory }) =>
    hasHistory ? [[resource, table] as const] : [],
  ),
  ['lesson_type', 'lesson_types'],
]
