import { expect, it } from 'vitest'
import { claimMail, finishMail, postponeMail, putMail } from '../../src/db/mails.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { useService } from '../support/app.ts'
import { CANARY } from '../support/canary.ts'
import { aSchool, aUser } from '../support/factory.ts'
import { aLife, live, WORD } from '../support/school-life.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()

it('a school lives as if it were alone, beside one with the same ids in all its rows, which nobody touches', async () => {
  const [alone, beside] = [await aLife(service()), await aLife(service())]
  const twin = await plantTwin(service(), beside.school.tenantId, WORD)
  const { instructor: instructor_id } = beside.ids
  await aUser(service(), twin, { role: 'instructor', instructor_id })
  const before = await everythingOf(service(), twin)
  expect(JSON.stringify(before)).toContain(CANARY)
  const lines = live(service(), beside)
  for await (const line of live(service(), alone)) expect((await lines.next()).value).toBe(line)
  expect((await lines.next()).done).toBe(true)
  expect(await everythingOf(service(), twin)).toEqual(before)
})

it('a mail that is sent or delayed is not the twin’s, and is in the name of its own school', async () => {
  const { db } = service()
  await db.deleteFrom('mails').execute()
  const { tenantId } = await aSchool(service(), { name: WORD })
  for (const template of ['password_reset', 'password_reset'] as const) {
    const to = { address: 'ida@reader.example', name: WORD }
    const worth_until = new Date(Date.now() + 3_600_000)
    await inTransaction(db, (within) =>
      putMail(within, tenantId, { to, template, params: { url: `https://${WORD}.example` }, worth_until }),
    )
  }
  const twin = await plantTwin(service(), tenantId, WORD)
  const later = { next_attempt_at: new Date(Date.now() + 86_400_000), attempts: 1 }
  await db.updateTable('mails').set(later).where('tenant_id', '=', twin).execute()
  const before = await everythingOf(service(), twin)
  const [sent, delayed] = [await claimMail(db, 60), await claimMail(db, 60)]
  for (const mail of [sent, delayed])
    expect(mail).toMatchObject({ tenant_id: tenantId, school: WORD, to_name: WORD })
  if (!sent || !delayed) throw new Error('nothing was claimed')
  await finishMail(db, sent, { state: 'sent', last_error: null })
  await postponeMail(db, delayed, { last_error: 'away', seconds: 60 })
  expect(await everythingOf(service(), twin)).toEqual(before)
})
