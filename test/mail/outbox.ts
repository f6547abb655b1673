import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { type NewMail, putMail } from '../../src/db/mails.ts'
import type { MailConfig } from '../../src/mail/mail-config.ts'
import { MailDispatcher, type MailIntervals } from '../../src/mail/mail-dispatcher.ts'
import type { TestService } from '../support/app.ts'
import { until } from '../support/process.ts'

/** Looks often, and tries again at once. */
const HASTE: MailIntervals = { look: 10, send: 30_000, firstPause: 1, longestPause: 1, stop: 100 }

/** Mail dispatchers of a file's tests, who find an empty outbox and are gone after each test. */
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

/** In an hour from now. */
export function soon(): Date {
  return new Date(Date.now() + 3_600_000)
}

/** Puts a reset into the outbox of a school, but for the fields given. Returns its address. */
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

/** All rows of the outbox, by address. */
export async function mailsIn({ db }: Pick<TestService, 'db'>) {
  return db.selectFrom('mails').selectAll().orderBy('created_at').execute()
}

/** Waits until the only mail of the outbox is in this state, and returns its row. */
export async function onlyMail(service: Pick<TestService, 'db'>, state: 'waiting' | 'sent' | 'given_up') {
  await until(async () => (await mailsIn(service))[0]?.state === state)
  const [mail] = await mailsIn(service)
  if (!mail) throw new Error('there is no mail')
  return mail
}
