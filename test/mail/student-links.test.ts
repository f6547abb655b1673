import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { newEmail } from '../support/invitations.ts'
import { put } from './outbox.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await sending()
})

async function sending(): Promise<School> {
  const one = await aSchool(service())
  must(200, await one.client.patch('/tenant', { messages: { link: true } }))
  return one
}

const reader = (fields: object = {}) =>
  school.student({ email: newEmail(), messages_consent: true, ...fields })
const share = ({ id }: { readonly id: string }) => school.client.post(`/students/${id}/link`)
const sent = async () => must(200, await school.client.get('/messages'))

describe('links that are sent to students', () => {
  it('are limited to 100 an hour of a school, then rejected with 429 too_many_mails', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 11; round += 1) {
      const some = await Promise.all(Array.from({ length: 10 }, () => reader()))
      statuses.push(...(await Promise.all(some.map(async (one) => (await share(one)).status))))
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    const refused = await share(await reader())
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_mails'])
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.params.retry_after_seconds)
    school = await sending()
    expect((await share(await reader())).status).toBe(200)
  })

  it('are limited to five to one address, and the refused request keeps the link', async () => {
    const student = await reader()
    for (const _ of '12345') expect((await share(student)).status).toBe(200)
    const link = async () => must(200, await school.client.get(`/students/${student.id}/link`))
    const before = await link()
    expect((await share(student)).status).toBe(429)
    expect(await link()).toEqual(before)
    expect((await share(await reader())).status).toBe(200)
  })

  it('count together with the mails with links to users', async () => {
    for (let mail = 0; mail < 99; mail += 1) await put(service(), school.tenantId)
    expect((await share(await reader())).status).toBe(200)
    expect((await share(await reader())).status).toBe(429)
  })

  it('are not limited if they are not sent', async () => {
    const student = await reader({ messages_consent: false })
    for (const _ of '1234567') expect((await share(student)).status).toBe(200)
    expect(await sent()).toEqual([])
  })
})
