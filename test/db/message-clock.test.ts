import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { databaseClock } from '../../src/db/now.ts'
import { localNow } from '../../src/domain/time-zone.ts'
import { useMessageOffice } from '../mail/message-office.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer | undefined

afterEach(async () => {
  vi.useRealTimers()
  await office().close()
  await server?.close()
})

// An embedded database has the clock of its process.
it('a reminder is not dropped by a process whose clock is a month ahead', async () => {
  service().setClock(undefined)
  const school = await aSchool(service())
  must(200, await school.client.patch('/tenant', { messages: { reminder: true, reminder_hours: [24] } }))
  const at = (hours: number) => localNow(new Date(Date.now() + hours * 3_600_000), 'Europe/Berlin')
  await school.lesson({
    instructor_id: (await school.instructor()).id,
    student_id: (await school.student({ email: 'lena@reader.example', messages_consent: true })).id,
    start_at: at(26),
    end_at: at(27),
  })
  expect(must(200, await school.client.get('/messages'))).toMatchObject([{ kind: 'reminder' }])
  const now = sql<Date>`now()`
  await service().db.updateTable('messages').set({ send_at: now, next_attempt_at: now }).execute()
  const real = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: real + 30 * 86_400_000 })
  server = await startMailServer()
  office().hire(server, { clock: databaseClock })
  const [mail] = await server.receives(1)
  const sentAt = mail?.parsed.date?.getTime() ?? 0
  expect(Math.abs(sentAt - real)).toBeLessThan(3_600_000)
})
