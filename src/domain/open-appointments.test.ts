import { expect, it } from 'vitest'
import { tooManyRefusalFor } from './open-appointments.ts'

it.each([
  [undefined, undefined],
  [0, undefined],
  [4_999, undefined],
  [5_000, { open_appointments: 5_000, limit_appointments: 5_000 }],
  [5_001, { open_appointments: 5_001, limit_appointments: 5_000 }],
])('a student with %s other open appointments is checked against the limit of 5,000', (open, params) => {
  expect(tooManyRefusalFor(open)?.params).toEqual(params)
})
