import { id, versioned } from './examples-of-school.ts'

export const newWebhook = { url: 'https://receiver.example/fahrplan', events: ['appointment.*'] }
export const webhook = {
  id: id(51),
  ...newWebhook,
  disabled: false,
  disabled_reason: null,
  ...versioned,
}
export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwkQ4kA5b8Z2E='
export const webhookCursor = 'WyI4MTI6ODEyOiJd'
export const delivery = {
  id: id(52),
  type: 'appointment.changed',
  resource_id: id(53),
  state: 'delivered',
  attempts: 1,
  status: 204,
  error: null,
  next_attempt_at: null,
  changed_at: '2026-05-04T06:00:00.000Z',
  created_at: '2026-05-04T06:00:00.000Z',
  finished_at: '2026-05-04T06:00:01.000Z',
  cursor: webhookCursor,
}
