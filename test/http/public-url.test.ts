import { expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'

const [APP, API] = ['https://app.school.example', 'https://api.school.example']
const service = useOwnService({ publicUrl: APP, serviceUrl: API })

it('invitations link to the app; calendar feeds and student pages link to the service', async () => {
  const { client, ...school } = await aSchool(service())
  const jonas = await client.post('/instructors', { first_name: 'Jonas', last_name: 'Brandt' })
  const lena = await client.post('/students', { first_name: 'Lena', last_name: 'Vogt' })
  const feed = await client.post(`/instructors/${jonas.body.id}/calendar-feed`, { detail: 'busy' })
  const page = await client.post(`/students/${lena.body.id}/link`)
  const email = `${school.tenantId}@school.example`
  const invited = await client.post('/users', { email, name: 'Ben', role: 'office' })
  const origins = [feed.body.url, page.body.url, invited.body.invitation.url].map(
    (url) => new URL(url).origin,
  )
  expect(origins).toEqual([API, API, APP])
})
