import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Row } from '../support/factory.ts'
import { anOfferOffice, OFFERED_TIME, type OfferOffice } from '../support/offer-office.ts'

const service = useService()
let office: OfferOffice

beforeEach(async () => {
  office = await anOfferOffice(service())
})

describe('the page of an offer', () => {
  const page = async (method: 'GET' | 'POST', one: Row, student: Row, query = '') => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(`${service().url}/o/${office.tokenOf(one, student)}${query}`, {
      method,
      ...(method === 'POST' && { headers, body: '' }),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('shows the lesson, books it on POST, and then shows others that it is no longer available', async () => {
    const { lena, emma, offer, stateOf } = office
    const one = await offer()
    const shown = await page('GET', one, lena)
    expect(shown.status).toBe(200)
    for (const text of ['08:00–09:30', 'Jonas', 'Bahnhof', 'Verbindlich zusagen', 'method="post"'])
      expect(shown.text).toContain(text)
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect((await page('GET', one, lena, '?lang=en')).text).toContain('Accept and book')
    expect(await stateOf(one)).toBe('open')
    const booked = await page('POST', one, lena)
    expect([booked.status, booked.text.includes('für Sie eingetragen')]).toEqual([200, true])
    expect((await page('GET', one, lena)).text).toContain('für Sie eingetragen')
    const late = await page('POST', one, emma, '?lang=en')
    expect([late.status, late.text.includes('No longer available')]).toEqual([409, true])
    expect((await page('GET', one, emma)).text).not.toContain('<form')
    expect((await fetch(`${service().url}/o/nothing`)).status).toBe(404)
  })

  it('returns 409 with an explanation if the student already has a lesson', async () => {
    const { school, lena, offer } = office
    const one = await offer()
    const other = await school.instructor()
    await school.lesson({ instructor_id: other.id, student_id: lena.id, ...OFFERED_TIME })
    const { status, text } = await page('POST', one, lena, '?lang=en')
    expect([status, text.includes('You already have a lesson')]).toEqual([409, true])
  })
})
