import type { Tenant } from '../contract/tenant.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import {
  type Cause,
  expectedIn,
  hasCauses,
  type LessonFacts,
  type MessageRecipient,
  readComingLessons,
  readLessons,
  readStudentRecipients,
  takeCauses,
} from '../db/message-facts.ts'
import {
  changeLessons,
  dropMessage,
  forgetDroppedOccasions,
  lockWaitingMessages,
  type NewMessage,
  queueMessages,
  type WaitingMessage,
} from '../db/messages.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { requireTenant } from '../db/tenants.ts'
import { afterQuiet, decideMessage, type MessageLesson, type Notice } from '../domain/messages.ts'
import { instantOf, localNow } from '../domain/time-zone.ts'
import { noticesIn } from './notices.ts'
import { remindersFor } from './reminders.ts'

/** Lessons of a series are transactions of their own: their message waits for the last of them. */
const SERIES_SECONDS = 60
/** Leaves a moment to undo. */
const GRACE_SECONDS = 10

/** Derives the messages of a school's changes, each once, and drops waiting ones that are no longer true. */
export async function deriveMessages(db: DatabasePool, tenantId: string, now: Date): Promise<void> {
  while (await hasCauses(db, tenantId))
    await inTransaction(db, async (transaction) => {
      const causes = await takeCauses(transaction, tenantId)
      const tenant = await requireTenant(transaction, tenantId)
      await deriveFrom(transaction, { tenant, now }, causes)
    })
}

type Deriving = { readonly tenant: Tenant; readonly now: Date }

async function deriveFrom(db: Transaction, deriving: Deriving, causes: readonly Cause[]): Promise<void> {
  const { tenant } = deriving
  const ofLessons = causes.filter(({ resource }) => resource === 'appointment')
  const ids = [...new Set(ofLessons.map(({ resource_id }) => resource_id))]
  const rows = await readLessons(db, tenant.id, ids)
  const setIds = [...new Set(ofLessons.map(({ set_id }) => set_id))]
  const waiting = await lockWaitingMessages(db, tenant.id, { appointmentIds: ids, setIds })
  const notices = noticesIn(ofLessons, rows, { timezone: tenant.timezone, waiting })
  const coming = await comingLessons(db, deriving, { causes, rows })
  const students = new Set([
    ...notices.map(({ student_id }) => student_id),
    ...waiting.flatMap(({ student_id }) => student_id ?? []),
    ...coming.flatMap(({ lesson }) => [...expectedIn(lesson).students]),
  ])
  const recipients = await readStudentRecipients(db, tenant.id, [...students])
  const left = await dropStale(db, deriving, { waiting, rows, recipients })
  await queueNotices(db, deriving, { notices, recipients, waiting: left })
  const agreeing = new Map([...recipients].filter(([, { agrees }]) => agrees))
  await queueMessages(db, tenant.id, deriving.now, remindersFor(tenant, coming, agreeing))
}

/** A lesson whose reminders are to be queued, if they are due later than a time. */
export type ComingLesson = { readonly lesson: LessonFacts; readonly after: Date }

/** Returns the lessons that changed, and those of students and settings that did, each once. */
async function comingLessons(
  db: Transaction,
  { tenant, now }: Deriving,
  { causes, rows }: { readonly causes: readonly Cause[]; readonly rows: ReadonlyMap<string, LessonFacts> },
): Promise<readonly ComingLesson[]> {
  const students = new Set(
    causes.filter(({ resource }) => resource === 'student').map(({ resource_id }) => resource_id),
  )
  await forgetDroppedOccasions(db, tenant.id, [...students])
  if (!tenant.messages.reminder) return []
  const from = localNow(now, tenant.timezone)
  const changed = [...rows.values()].filter((lesson) => !lesson.deleted && lesson.start_at > from)
  const found = new Map(changed.map((lesson) => [lesson.id, lesson]))
  const isOfAll = causes.some(({ resource }) => resource === 'tenant')
  for (const whose of isOfAll ? [{}] : [...students].map((student_id) => ({ student_id })))
    for (const lesson of await readComingLessons(db, tenant.id, { from, ...whose }))
      found.set(lesson.id, lesson)
  const latest = new Map<string, number>()
  for (const { resource_id, at } of causes)
    latest.set(resource_id, Math.max(at.getTime(), latest.get(resource_id) ?? 0))
  return [...found.values()].map((lesson) => {
    const concerned = [tenant.id, lesson.id, ...expectedIn(lesson).students]
    return { lesson, after: new Date(Math.max(...concerned.map((id) => latest.get(id) ?? 0))) }
  })
}

type Standing = {
  readonly waiting: readonly WaitingMessage[]
  readonly rows: ReadonlyMap<string, LessonFacts>
  readonly recipients: ReadonlyMap<string, MessageRecipient>
}

/** Drops waiting messages about the changed lessons that would not be sent now. Returns the others. */
async function dropStale(
  db: Transaction,
  { tenant, now }: Deriving,
  { waiting, rows, recipients }: Standing,
): Promise<readonly WaitingMessage[]> {
  const others = waiting.flatMap(({ lessons }) => lessons.map(({ appointment_id }) => appointment_id))
  const all = new Map([...rows, ...(await readLessons(db, tenant.id, [...new Set(others)]))])
  const expected = new Map(
    [...all].flatMap(([id, lesson]) => (lesson.deleted ? [] : [[id, expectedIn(lesson)] as const])),
  )
  const left: WaitingMessage[] = []
  for (const message of waiting) {
    const { worth_until, params, student_id } = message
    const decision = decideMessage(
      { ...message, hours: params?.hours ?? null },
      {
        settings: tenant.messages,
        timezone: tenant.timezone,
        now,
        worth_until,
        recipient: recipients.get(student_id ?? ''),
        expected,
      },
    )
    if (decision.action === 'drop') await dropMessage(db, tenant.id, message.id, { ...decision, now })
    else left.push(message)
  }
  return left
}

type Queued = {
  readonly notices: readonly (Notice & Pick<Cause, 'at' | 'set_id'> & { readonly isSeries: boolean })[]
  readonly recipients: ReadonlyMap<string, MessageRecipient>
  readonly waiting: readonly WaitingMessage[]
}

/** Bundles the notices of a set by kind and student, also with a message that waits. */
async function queueNotices(
  db: Transaction,
  { tenant, now }: Deriving,
  { notices, recipients, waiting }: Queued,
): Promise<void> {
  const { timezone, messages } = tenant
  const wanted = notices.filter(
    ({ kind, student_id }) => messages[kind] && recipients.get(student_id)?.agrees === true,
  )
  const bundles = Map.groupBy(wanted, ({ kind, student_id, set_id }) => `${kind} ${student_id} ${set_id}`)
  const made: NewMessage[] = []
  for (const [first, ...rest] of bundles.values()) {
    if (!first) continue
    const { kind, student_id, set_id, at, isSeries } = first
    const known = waiting.find(
      (one) => one.kind === kind && one.student_id === student_id && one.set_id === set_id,
    )
    const lessons = latestOf([...(known?.lessons ?? []), ...[first, ...rest].map(({ lesson }) => lesson)])
    const worth_until = new Date(Math.max(...lessons.map(({ start_at }) => instantOf(start_at, timezone))))
    if (known) await changeLessons(db, tenant.id, { id: known.id, lessons, worth_until })
    const seconds = isSeries ? SERIES_SECONDS : GRACE_SECONDS
    const send_at = afterQuiet(new Date(at.getTime() + seconds * 1000), messages.quiet, timezone)
    const to_address = recipients.get(student_id)?.email ?? null
    if (!known) made.push({ kind, student_id, set_id, lessons, to_address, send_at, worth_until })
  }
  await queueMessages(db, tenant.id, now, made)
}

/** Returns the lessons by start, each as it was told last. */
function latestOf(lessons: readonly MessageLesson[]): MessageLesson[] {
  const byId = new Map(lessons.map((lesson) => [lesson.appointment_id, lesson]))
  return [...byId.values()].toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
}
