import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { type NewMail, putMail } from '../../src/db/messages/mails.ts'
import type { MailConfig } from '../../src/mail/mail-config.ts'
import { MailDispatcher, type MailIntervals } from '../../src/mail/mail-dispatcher.ts'
import type { TestService } from '../support/app.ts'
import { until } from '../support/process.ts'

/** Intervals that look often and retry at once. */
const HASTE: MailIntervals = { look: 10, send: 30_000, firstPause: 1, longestPause: 1, stop: 100 }

/** Returns a function that starts a mail dispatcher. Empties the outbox before each test and stops dispatchers after it. */
export function useMailDispatchers(service: () => TestService) {
  const hired: MailDispatcher[] = []
  beforeEach(async () => {
    await service().db.deleteFrom('mails').execute()
  })
  afterEach(async () => {
    await Promise.all(hired.splice(0).map((mailDispatcher) => mailDispatcher.stop()))
  })
  return (
    config: MailConfig,
    intervals: Partial<MailIntervals> = {},
    log = pino({ level: 'silent' }),
  ): MailDispatcher => {
    const mailDispatcher = new MailDispatcher({
      db: service().db,
      log,
      config,
      intervals: { ...HASTE, ...intervals },
    })
    hired.push(mailDispatcher)
    return mailDispatcher
  }
}

/** Returns the time in an hour. */
export function soon(): Date {
  return new Date(Date.now() + 3_600_000)
}

/** Puts a password reset with these fields into a school's outbox. Returns an e-mail address, its recipient by default. */
export async function put(
  { db }: Pick<TestService, 'db'>,
  tenantId: string,
  mail: Partial<NewMail> = {},
): Promise<string> {
  const address = `${randomUUID()}@reader.example`
  const params = { url: 'https://fahrplan.example/reset#secret-secret-secret-secret' }
  const whole = {
    to: { address, name: 'Änne' },
    worth_until: soon(),
    template: 'password_reset',
    params,
    ...mail,
  }
  await inTransaction(db, (transaction) => putMail(transaction, tenantId, whole as NewMail))
  return address
}

/** Returns all rows of the outbox, oldest first. */
export async function mailsIn({ db }: Pick<TestService, 'db'>) {
  return db.selectFrom('mails').selectAll().orderBy('created_at').execute()
}

/** Waits until the outbox's only mail has this state, and returns its row. */
export async function onlyMail(service: Pick<TestService, 'db'>, state: 'waiting' | 'sent' | 'given_up') {
  await until(async () => (await mailsIn(service))[0]?.state === state)
  const [mail] = await mailsIn(service)
  if (!mail) throw new Error('there is no mail')
  return mail
}
