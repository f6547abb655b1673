import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { pageTokens } from '../../src/auth/page-links.ts'
import { pushKeysOf } from '../../src/auth/push-keys.ts'
import { UnsubscribeTokens } from '../../src/auth/unsubscribe-tokens.ts'
import { WebhookSecrets } from '../../src/auth/webhook-secrets.ts'
import type { Clock } from '../../src/db/now.ts'
import { NO_MESSAGES } from '../../src/domain/messages.ts'
import type { UnsubscribingRecipient } from '../../src/domain/student-contacts.ts'
import { MessageDispatcher } from '../../src/mail/message-dispatcher.ts'
import { MESSAGE_INTERVALS, type MessageIntervals } from '../../src/mail/message-intervals.ts'
import { Addresses } from '../../src/webhooks/addresses.ts'
import { pushSenderFor } from '../../src/webhooks/push.ts'
import { webhookSenderFor } from '../../src/webhooks/webhook-sender.ts'
import type { TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { aSchool, enter, type Row, type School } from '../support/factory.ts'
import type { MailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'

/** The network of the tests' receivers. */
const HERE = ['127.0.0.0/8']

export const PUSH_KEYS = pushKeysOf(JWT_SECRET, 'mailto:office@fahrplan.example')

const HASTE = { ...MESSAGE_INTERVALS, look: 10, firstPause: 1, longestPause: 1, stop: 100, rest: 0 }

export type Listed = {
  readonly id: string
  readonly channel: string
  readonly kind: string
  readonly to: string | null
  readonly state: string
  readonly reason: string | null
  readonly sent_at: string | null
  readonly send_at: string
}

export const day = (date: string) => ({ start_at: `${date} 08:00`, end_at: `${date} 09:30` })

type Hiring = {
  readonly log?: Logger
  readonly intervals?: Partial<MessageIntervals>
  /** The clock that tests move by default. */
  readonly clock?: Clock
  readonly jwtSecret?: string
}

/** A school with an instructor, a student who agrees to messages, and a clock that only tests move. */
export class MessageOffice {
  school: School
  readonly instructor: Row
  readonly student: Row
  readonly #service: TestService
  readonly #hired: MessageDispatcher[] = []
  #now: Date

  constructor(
    service: TestService,
    {
      school,
      instructor,
      student,
      now,
    }: Pick<MessageOffice, 'school' | 'instructor' | 'student'> & { now: Date },
  ) {
    this.#service = service
    this.school = school
    this.instructor = instructor
    this.student = student
    this.#now = now
  }

  /** Moves the clocks forward by a second, because messages of the same moment have no order. */
  tick(): void {
    this.moveClock(new Date(this.#now.getTime() + 1000).toISOString())
  }

  /** Moves the clocks of the service and of message dispatchers. */
  moveClock(at: string): void {
    this.#now = new Date(at)
    this.#service.setClock(this.#now)
  }

  /** Moves the clocks by days, after which the office has to log in again. */
  async moveFar(at: string): Promise<void> {
    this.moveClock(at)
    this.school = await enter(this.#service, this.school)
  }

  hire(
    server: MailServer | undefined,
    { log = pino({ level: 'silent' }), intervals = {}, clock: given, jwtSecret = JWT_SECRET }: Hiring = {},
  ): MessageDispatcher {
    const { db } = this.#service
    const clock = given ?? (() => sql<Date>`${this.#now}::timestamptz`)
    const secrets = new WebhookSecrets(JWT_SECRET)
    const addresses = new Addresses(HERE)
    const config = server?.config
    const sendBy = {
      webhook: webhookSenderFor({ db, secrets, addresses }),
      push: pushSenderFor({ db, addresses, keys: PUSH_KEYS }),
    }
    const unsubscribing = new UnsubscribeTokens(jwtSecret)
    const pages = {
      tokenFor: pageTokens(jwtSecret),
      unsubscribeTokenFor: (recipient: UnsubscribingRecipient) => unsubscribing.tokenFor(recipient),
      base: () => this.#service.url,
    }
    const hiring = { db, log, config, sendBy, pages, intervals: { ...HASTE, ...intervals }, clock }
    const messageDispatcher = new MessageDispatcher(hiring)
    this.#hired.push(messageDispatcher)
    return messageDispatcher
  }

  async close(): Promise<void> {
    await Promise.all(this.#hired.map((messageDispatcher) => messageDispatcher.stop()))
  }

  async send(messages: object): Promise<void> {
    must(200, await this.school.client.patch('/tenant', { messages }))
  }

  lesson(fields: object): Promise<Row> {
    const { instructor, student } = this
    return this.school.lesson({ instructor_id: instructor.id, student_id: student.id, ...fields })
  }

  async messages(query = ''): Promise<readonly Listed[]> {
    return must(200, await this.school.client.get(`/messages${query}`)) as unknown as Listed[]
  }

  /** Waits until no message is due, and returns all, oldest first. */
  async settled(): Promise<readonly Listed[]> {
    // A call waits for a person.
    const isLater = ({ send_at, channel }: Listed) => channel === 'call' || new Date(send_at) > this.#now
    await until(async () => (await this.messages('?state=waiting')).every(isLater))
    return (await this.messages()).toReversed()
  }
}

const NOON = '2099-03-01T12:00:00Z'

/** Makes an office and empties the outbox before each test. */
export function useMessageOffice(service: () => TestService): () => MessageOffice {
  let office: MessageOffice | undefined
  beforeEach(async () => {
    await service().db.deleteFrom('messages').execute()
    await service().db.deleteFrom('message_causes').execute()
    await service().db.deleteFrom('availability_rounds').execute()
    await service()
      .db.updateTable('tenants')
      .set({ messages: JSON.stringify(NO_MESSAGES) })
      .where(sql<boolean>`messages ->> 'day_plan' = 'true'`)
      .execute()
    const now = new Date(NOON)
    service().setClock(now)
    const school = await aSchool(service())
    await school.client.patch('/tenant', { phone: '+49 30 5550100' })
    const instructor = await school.instructor({ email: 'jonas@reader.example' })
    const student = await school.student({ email: 'lena@reader.example', messages_consent: true })
    office = new MessageOffice(service(), { school, instructor, student, now })
  })
  afterEach(async () => {
    await office?.close()
    await service().db.deleteFrom('message_causes').execute()
    service().setClock(undefined)
  })
  return () => {
    if (!office) throw new Error('no office')
    return office
  }
}
