import { cursorAt } from '../../src/http/requests/change-cursor.ts'
import type { Ids } from './canary.ts'
import { newEmail } from './invitations.ts'

/** An ended enrolment, which fits beside an open one; its template needs the id of the school's. */
const ENROLMENT = { template_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b15', outcome: 'passed' }

/** Returns a body that would be accepted for a row of the user's own school. */
export function bodyFor(method: string, path: string): object | undefined {
  if (path.startsWith('/schedule-requests')) return method === 'PATCH' ? { answer: null } : undefined
  if (/\/(opening-balance|credits)$/.test(path)) return method === 'PUT' ? [] : undefined
  if (path.endsWith('/enrolments')) return method === 'POST' ? ENROLMENT : undefined
  if (path === '/enrolments/{id}') return method === 'PATCH' ? { note: null } : undefined
  if (path.endsWith('/wishes')) return method === 'POST' ? { minutes: 90 } : undefined
  if (path.endsWith('/absence-plan')) return { start_date: '2098-05-04', end_date: '2098-05-04' }
  if (path.endsWith('/absences')) return { start_date: '2098-05-04', end_date: '2098-05-04', decisions: [] }
  if (path === '/appointments/{id}/cancel') return { by: 'school', dry_run: true }
  if (path.endsWith('/fee')) return { charge: null }
  if (path.endsWith('/cancel')) return { from: '2026-05-12' }
  if (path.endsWith('/change'))
    return { from: '2026-05-12', change: { title: 'changed' }, on_refusal: 'skip' }
  if (path.endsWith('/calendar-feed')) return method === 'POST' ? { detail: 'busy' } : undefined
  if (path.endsWith('/busy-calendars'))
    return method === 'POST' ? { name: 'Private', url: 'https://203.0.113.7/' } : undefined
  if (path.endsWith('/email-change')) return { email: newEmail() }
  if (path === '/users/{id}') return method === 'PATCH' ? { name: 'changed' } : undefined
  if (path === '/locations/{id}') return method === 'PATCH' ? { address: null } : undefined
  if (path === '/webhooks/{id}') return method === 'PATCH' ? { disabled: true } : undefined
  if (path === '/webhooks/{id}/replay') return { since: cursorAt('2026-01-01T00:00:00.000Z') }
  if (path === '/tenant/lesson-types/{id}') return method === 'PATCH' ? { hidden: true } : undefined
  if (path === '/plans/{id}') return method === 'PATCH' ? {} : undefined
  if (path === '/plans/{id}/replan') return { effort: 1 }
  if (path === '/plans/{id}/apply') return { as: 'booked' }
  if (path === '/vehicles/{id}/change-plan') return { active: false }
  if (path === '/vehicles/{id}/changes') return { active: false, decisions: [] }
  if (path === '/instructors/{id}/changes') return { phone: null, decisions: [] }
  const isChange = method === 'PATCH' || path.endsWith('/impact') || path.endsWith('/change-plan')
  return isChange ? { [path.startsWith('/instructors') ? 'phone' : 'notes']: null } : undefined
}

/** Returns the body of an offer of the instructor's free time to the student. */
export function offered({ instructor, lesson_type, student }: Ids): object {
  return {
    instructor_id: instructor,
    lesson_type_id: lesson_type,
    student_ids: [student],
    start_at: '2098-06-03 08:00',
    end_at: '2098-06-03 09:30',
  }
}
