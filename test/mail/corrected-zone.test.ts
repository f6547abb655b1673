import { afterEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)

afterEach(() => office().close())

it('reminders keep their times of day after a correction of the time zone, and news its grace', async () => {
  await office().send({ reminder: true, reminder_hours: [24], booked: true })
  await office().lesson(day('2099-03-04'))
  const times = async () => (await office().messages()).map(({ kind, send_at }) => [kind, send_at]).toSorted()
  const [booked, [reminder, at]] = (await times()) as [string[], [string, string]]
  expect([reminder, at]).toEqual(['reminder', '2099-03-03T07:00:00.000Z'])
  must(200, await office().school.client.patch('/tenant', { timezone: 'Europe/London' }))
  expect(await times()).toEqual([booked, ['reminder', '2099-03-03T08:00:00.000Z']])
})
