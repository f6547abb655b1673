import { id, ids } from './examples-of-school.ts'

export const newBusyCalendar = {
  name: 'Privat',
  url: 'https://calendar.example/private-1f6a/basic.ics',
}
export const busyCalendar = {
  id: id(71),
  name: 'Privat',
  url: 'calendar.example',
  state: 'ok' as const,
  last_read_at: '2026-05-04T06:00:00.000Z',
  failure: null,
}
export const busyTimes = {
  instructor_id: ids.instructor,
  is_failing: false,
  times: [{ start_at: '2026-05-04 14:00', end_at: '2026-05-04 15:30' }],
}
