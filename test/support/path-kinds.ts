import type { Kind } from './canary.ts'

/** The kind of the id in paths that begin so. A new resource needs a line here. */
export const KINDS: Readonly<Record<string, Kind>> = {
  '/students': 'student',
  '/instructors': 'instructor',
  '/enrolments': 'enrolment',
  '/offers': 'offer',
  '/plans': 'plan',
  '/locations': 'location',
  '/webhooks': 'webhook',
  '/vehicles': 'vehicle',
  '/enquiries': 'enquiry',
  '/schedule-requests': 'schedule_request',
  '/appointments': 'appointment',
  '/appointments/series': 'series',
  '/changes/sets': 'set',
  '/lesson-types': 'lesson_type',
  '/tenant/lesson-types': 'lesson_type',
  '/closures': 'closure',
  '/users': 'user',
}

/** Returns the part of a path before its id. */
export function collectionOf(path: string): string {
  return path.split('/{id}', 1)[0] ?? path
}
