import { id } from './examples-of-school.ts'

export const message = {
  id: id(61),
  kind: 'reminder',
  to: 'lena.vogt@example.org',
  channel: 'mail',
  state: 'waiting',
  reason: null,
  send_at: '2026-05-03T06:00:00.000Z',
  sent_at: null,
}
