import type { Kind } from './canary.ts'

/** The kind of the id in the path of each operation. A new path needs a line here. */
export const KINDS: Readonly<Record<string, Kind>> = {
  '/students/{id}': 'student',
  '/students/{id}/restore': 'student',
  '/students/{id}/history': 'student',
  '/students/{id}/progress': 'student',
  '/students/{id}/opening-balance': 'student',
  '/instructors/{id}': 'instructor',
  '/instructors/{id}/history': 'instructor',
  '/instructors/{id}/impact': 'instructor',
  '/students/{id}/link': 'student',
  '/instructors/{id}/calendar-feed': 'instructor',
  '/schedule-requests/{id}': 'schedule_request',
  '/appointments/{id}': 'appointment',
  '/appointments/{id}/restore': 'appointment',
  '/appointments/{id}/history': 'appointment',
  '/appointments/series/{id}/cancel': 'series',
  '/changes/sets/{id}/undo': 'set',
  '/lesson-types/{id}': 'lesson_type',
  '/lesson-types/{id}/history': 'lesson_type',
  '/closures/{id}': 'closure',
  '/users/{id}': 'user',
  '/users/{id}/invitation': 'user',
  '/users/{id}/password-reset': 'user',
  '/users/{id}/email-change': 'user',
}
