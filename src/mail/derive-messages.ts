import type { Tenant } from '../contract/tenant.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import {
  type Cause,
  claimCauses,
  expectedIn,
  hasCauses,
  type MessageLessonRow,
  type MessageRecipient,
  readLessons,
  readMergingSets,
  readStudentRecipients,
  tenantsWithCauses,
} from '../db/messages/message-facts.ts'
import { contactFields, queueMessages, readSentNotices } from '../db/messages/messages.ts'
import {
  changeLessons,
  dropMessage,
  dropMessages,
  forgetDroppedOccasions,
  lockWaitingMessages,
  readdressMessages,
  type WaitingMessage,
} from '../db/messages/waiting-messages.ts'
import { type Clock, readTime } from '../db/now.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { requireTenant } from '../db/school/tenants.ts'
import { BY_CALL } from '../domain/message-channels.ts'
import { decideMessage, isActionKind, type MessageDecision, type MessageLesson } from '../domain/messages.ts'
import { deriveActionMessages } from './action-messages.ts'
import { forEachSchool, type SchoolLog } from './each-school.ts'
import { cancelledBefore } from './message-to-send.ts'
import {
  booksAgain,
  type CausedNotice,
  callAfter,
  changesIn,
  type LessonChange,
  noticeAfter,
} from './notices.ts'
import { type ReminderDays, readReminderDays, reviseReminders } from './reminders.ts'
import { noticeKey, noticesByLesson, type Revision, reviseMessages } from './revise-messages.ts'

/** Derives the messages of all schools, in turn and in pieces, so that one with many changes does not delay others. */
export async function deriveAllMessages(db: DatabasePool, log: SchoolLog, clock: Clock): Promise<void> {
  let ids = await tenantsWithCauses(db)
  while (ids.length > 0) {
    const left: string[] = []
    await forEachSchool(ids, log, async (id) => {
      await derivePiece(db, id, clock)
      if (await hasCauses(db, id)) left.push(id)
    })
    ids = left
  }
}

/** Derives messages from a school's changes, each once, and drops waiting ones that are no longer true. */
export async function deriveMessages(db: DatabasePool, tenantId: string, clock: Clock): Promise<void> {
  while (await hasCauses(db, tenantId)) await derivePiece(db, tenantId, clock)
}

async function derivePiece(db: DatabasePool, tenantId: string, clock: Clock): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const now = await readTime(transaction, clock)
    const causes = await claimCauses(transaction, tenantId)
    const tenant = await requireTenant(transaction, tenantId)
    // A process whose clock is ahead has written later times.
    const past = causes.map((cause) => ({ ...cause, at: cause.at < now ? cause.at : now }))
    await deriveFrom(transaction, { tenant, now }, past)
  })
}

type Deriving = { readonly tenant: Tenant; readonly now: Date }

async function deriveFrom(db: Transaction, deriving: Deriving, causes: readonly Cause[]): Promise<void> {
  const { tenant } = deriving
  const ofLessons = causes.filter(({ resource }) => resource === 'appointment')
  const ids = resourcesIn(causes, 'appointment')
  const rows = await readLessons(db, tenant.id, ids)
  const setIds = [...new Set(ofLessons.map(({ set_id }) => set_id))]
  const changes = changesIn(ofLessons, rows)
  const concerned = [...changes.values()].flatMap(studentsIn)
  // The calls of a student are a set.
  const sets = { appointmentIds: ids, setIds: [...setIds, ...new Set(concerned)] }
  const locked = await lockWaitingMessages(db, tenant.id, sets)
  const changed = resourcesIn(causes, 'student')
  await forgetDroppedOccasions(db, tenant.id, changed)
  const days = tenant.messages.reminder
    ? await readReminderDays(db, { ...deriving, causes, changes })
    : undefined
  const waiting = locked.filter(
    ({ kind, occasion }) => !isActionKind(kind) && (!days || kind !== 'reminder' || !occasion),
  )
  const students = new Set([
    ...changed,
    ...concerned,
    ...waiting.flatMap(({ student_id }) => student_id ?? []),
    ...(days?.students ?? []),
  ])
  const recipients = await readStudentRecipients(db, tenant.id, [...students])
  const agreeing = new Map([...recipients].filter(([, { agrees }]) => agrees))
  for (const id of changed) {
    const recipient = recipients.get(id)
    if (recipient) await readdressMessages(db, tenant.id, recipient)
  }
  const notices = await noticesAfter(db, deriving, { changes, waiting, recipients })
  const revised = reviseMessages(waiting, notices, tenant)
  await storeRevisions(db, deriving, { revisions: revised.revisions, rows, recipients })
  const made = revised.bundles.map(({ isCall, ...bundle }) => ({
    ...bundle,
    ...contactFields(isCall ? BY_CALL : recipients.get(bundle.student_id)),
  }))
  await queueMessages(db, tenant.id, deriving.now, made)
  await deriveActionMessages(db, { ...deriving, causes, changes })
  if (days) await storeReminders(db, deriving, { days, rows, recipients, agreeing })
}

type DaysToStore = {
  readonly days: ReminderDays
  readonly rows: ReadonlyMap<string, MessageLessonRow>
  readonly recipients: ReadonlyMap<string, MessageRecipient>
  readonly agreeing: ReadonlyMap<string, MessageRecipient>
}

async function storeReminders(
  db: Transaction,
  { tenant, now }: Deriving,
  { days, rows, recipients, agreeing }: DaysToStore,
): Promise<void> {
  const { queued, changed, dropped } = await reviseReminders(days, tenant, agreeing)
  const expected = expectedBy(new Map([...days.rows, ...rows]))
  const { messages: settings, timezone } = tenant
  const reasons = Map.groupBy(dropped, (message) => {
    const recipient = recipients.get(message.student_id ?? '')
    const decision = decideMessage(
      { ...message, hours: message.params?.hours ?? null },
      { settings, timezone, now, worth_until: message.worth_until, recipient, expected },
    )
    return decision.action === 'drop' ? decision.reason : 'moved'
  })
  for (const [reason, messages] of reasons) await dropMessages(db, tenant.id, messages, { reason, now })
  for (const message of changed) await changeLessons(db, tenant.id, message)
  await queueMessages(db, tenant.id, now, queued)
}

function expectedBy(rows: ReadonlyMap<string, MessageLessonRow>) {
  return new Map([...rows].flatMap(([id, row]) => (row.deleted ? [] : [[id, expectedIn(row)] as const])))
}

function resourcesIn(causes: readonly Cause[], kind: Cause['resource']): readonly string[] {
  return [
    ...new Set(causes.filter(({ resource }) => resource === kind).map(({ resource_id }) => resource_id)),
  ]
}

type Concerned = {
  readonly changes: ReadonlyMap<string, readonly LessonChange[]>
  readonly waiting: readonly WaitingMessage[]
  readonly recipients: ReadonlyMap<string, MessageRecipient>
}

/** Returns the notices due to students, and the calls to those without messages; undefined if a lesson's is no longer due. */
async function noticesAfter(
  db: Transaction,
  { tenant, now }: Deriving,
  { changes, waiting, recipients }: Concerned,
): Promise<ReadonlyMap<string, CausedNotice | undefined>> {
  const announced = new Set(waiting.flatMap((one) => (one.kind === 'booked' ? idsIn(one.lessons) : [])))
  const again = [...changes].flatMap(([id, own]) => (booksAgain(own) || announced.has(id) ? [id] : []))
  const sent = noticesByLesson(await readSentNotices(db, tenant.id, again))
  const pending = noticesByLesson(waiting)
  const { messages: sends, timezone } = tenant
  const merging = await readMergingSets(db, tenant.id, setsWithOtherStudents(changes))
  // Two students who turn out to be one person know their lessons.
  const news = [...changes].map(([id, own]) => [id, own.filter((one) => !merging.has(one.set_id))] as const)
  return new Map(
    news.flatMap(([id, own]) =>
      [...new Set(studentsIn(own))].flatMap((student) => {
        const { agrees = false, calledFor = [] } = recipients.get(student) ?? {}
        const key = noticeKey(student, id)
        const known = { waiting: pending.get(key), sent: sent.get(key), sends, timezone, now }
        if (calledFor.length > 0) return [[key, callAfter(student, own, { ...known, calledFor })] as const]
        return agrees ? [[key, noticeAfter(student, own, known)] as const] : []
      }),
    ),
  )
}

function idsIn(lessons: readonly MessageLesson[]): readonly string[] {
  return lessons.map(({ appointment_id }) => appointment_id)
}

function setsWithOtherStudents(changes: ReadonlyMap<string, readonly LessonChange[]>): readonly string[] {
  const isOther = ({ before, after }: LessonChange) =>
    before && after && [...before.students].some((student) => !after.students.has(student))
  return [...changes.values()].flatMap((own) => own.filter(isOther).map(({ set_id }) => set_id))
}

function studentsIn(changes: readonly LessonChange[]): string[] {
  return changes.flatMap(({ before, after }) => [...(before?.students ?? []), ...(after?.students ?? [])])
}

function isUnreached(decision: MessageDecision): boolean {
  return decision.action === 'drop' && (decision.reason === 'no_consent' || decision.reason === 'no_address')
}

type Standing = {
  readonly revisions: readonly Revision[]
  readonly rows: ReadonlyMap<string, MessageLessonRow>
  readonly recipients: ReadonlyMap<string, MessageRecipient>
}

async function storeRevisions(
  db: Transaction,
  { tenant, now }: Deriving,
  { revisions, rows, recipients }: Standing,
): Promise<void> {
  const others = revisions.flatMap(({ lessons }) => idsIn(lessons))
  const all = new Map([...rows, ...(await readLessons(db, tenant.id, [...new Set(others)]))])
  const expected = expectedBy(all)
  for (const revision of revisions) {
    const { id, kind, params, student_id, worth_until, isEmpty, isRevised } = revision
    const recipient = recipients.get(student_id ?? '')
    const { messages: settings, timezone } = tenant
    const isCorrection = !settings.booked && (await cancelledBefore(db, tenant.id, revision)).isCorrection
    const decision = decideMessage(
      { ...revision, hours: params?.hours ?? null, isCorrection },
      { settings, timezone, now, worth_until, recipient, expected },
    )
    const isCall = recipient?.calledFor?.some((one) => one === kind) && isUnreached(decision)
    if (decision.action === 'drop' && !isCall) await dropMessage(db, tenant.id, id, { ...decision, now })
    else if (isEmpty) await dropMessage(db, tenant.id, id, { reason: 'moved', now })
    else if (isRevised) await changeLessons(db, tenant.id, revision)
  }
}
