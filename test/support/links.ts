import { expect } from 'vitest'
import type { Row, School } from './factory.ts'

/** Makes a calendar feed. Returns its path for the tests' client. */
export async function feedOf({ client }: School, { id }: Row, detail: string): Promise<string> {
  const { status, body } = await client.post(`/instructors/${id}/calendar-feed`, { detail })
  expect(status).toBe(200)
  expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/calendars\/[\w-]{65}\.ics$/)
  return feedPathIn(body.url)
}

/** Returns the path of a feed below the API's prefix, for a test's client. */
export function feedPathIn(url: string): string {
  return url.slice(url.indexOf('/calendars/'))
}
