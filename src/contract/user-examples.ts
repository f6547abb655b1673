import { instructor, tenant } from './examples.ts'

export const newUser = {
  email: 'jonas@nord.example',
  name: 'Jonas Brandt',
  role: 'instructor' as const,
  instructor_id: instructor.id,
}

export const passwordLink = {
  url: 'https://fahrplan.example/invitation#kW3vVJ1uQn0mX4o0b2p4yq3m0sV1b8c2l9d7f6g5h4j',
  expires_at: '2026-05-08T06:00:00.000Z',
  is_mailed: false,
}

export const emailChange = {
  email: 'j.brandt@nord.example',
  is_changed: false,
  expires_at: '2026-05-05T06:00:00.000Z',
}

export const schoolUser = {
  id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b22',
  ...newUser,
  disabled: false,
  state: 'invited' as const,
  invited_until: passwordLink.expires_at,
  last_seen_at: null,
  mail: null,
  second_factors: ['totp' as const],
  may_sign: false,
  requested_email: null,
  version: 1,
  created_at: tenant.created_at,
  updated_at: tenant.updated_at,
}

export const invitation = {
  school: tenant.name,
  name: newUser.name,
  email: newUser.email,
  expires_at: passwordLink.expires_at,
  issuer: null,
}
