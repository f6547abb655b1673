import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  await office().send({ moved: true, reminder: true, reminder_hours: [24] })
})

afterEach(async () => {
  await office().close()
  await server.close()
})

/** Changes a lesson of the 9th of March, and returns the text of the only mail about it. */
async function mailAbout(lesson: object, ...changes: readonly object[]): Promise<string | undefined> {
  const { id } = await office().lesson({ ...day('2099-03-09'), ...lesson })
  for (const change of changes) must(200, await office().school.client.patch(`/appointments/${id}`, change))
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(server)
  const [moved] = (await office().settled()).filter(({ kind }) => kind === 'moved')
  if (!moved) return undefined
  expect(moved.state).toBe('sent')
  const [mail] = await server.receives(1)
  return mail?.parsed.text
}

const branch = async (fields: object) => must(201, await office().school.client.post('/locations', fields)).id

describe('a message about another meeting point', () => {
  it('names the old and the new pick-up place, and does not say that the lesson was moved', async () => {
    const text = await mailAbout({ pickup_place: 'Bahnhof' }, { pickup_place: 'Rathaus' })
    expect(text).toContain('Treffpunkt: Rathaus (bisher Bahnhof)')
    expect(server.received[0]?.parsed.subject).toContain('Ihr Termin hat sich geändert')
    expect(text).not.toContain('(bisher Montag')
  })

  it('names the branches with their addresses, that of the instructor to begin with', async () => {
    const north = await branch({ name: 'Nord', address: 'Hauptstraße 12' })
    const south = await branch({ name: 'Süd' })
    const path = `/instructors/${office().instructor.id}`
    must(200, await office().school.client.patch(path, { location_id: north }))
    expect(await mailAbout({}, { location_id: south })).toContain(
      'Treffpunkt: Süd (bisher Nord, Hauptstraße 12)',
    )
  })

  it('names the former place if there is none any more', async () => {
    const text = await mailAbout({ pickup_place: 'Bahnhof' }, { pickup_place: null })
    expect(text).toContain('ohne Treffpunkt (bisher Bahnhof)')
  })

  it('names a first place without a former one', async () => {
    const text = await mailAbout({}, { pickup_place: 'Bahnhof' })
    expect(text).toContain('Treffpunkt: Bahnhof')
    expect(text).not.toContain('bisher')
  })

  it('names time and place if both have changed', async () => {
    const text = await mailAbout(
      { pickup_place: 'Bahnhof' },
      { ...day('2099-03-10'), pickup_place: 'Rathaus' },
    )
    expect(text).toContain('08:00–09:30 (bisher Montag, 9. März 2099, 08:00)')
    expect(text).toContain('Treffpunkt: Rathaus (bisher Bahnhof)')
  })

  it('is not sent if the place is the old one again, or the branch changes behind a pick-up place', async () => {
    const north = await branch({ name: 'Nord' })
    const changes = [{ pickup_place: 'Rathaus' }, { pickup_place: 'Bahnhof' }, { location_id: north }]
    expect(await mailAbout({ pickup_place: 'Bahnhof' }, ...changes)).toBeUndefined()
  })

  it('leaves the reminder as it is', async () => {
    const { id } = await office().lesson({ ...day('2099-03-09'), pickup_place: 'Bahnhof' })
    const [before] = await office().messages('?state=waiting')
    must(200, await office().school.client.patch(`/appointments/${id}`, { pickup_place: 'Rathaus' }))
    const after = await office().messages()
    expect(after.filter(({ kind }) => kind === 'reminder')).toEqual([before])
  })
})
