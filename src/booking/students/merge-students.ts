import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { type Credits, creditsFor } from '../../contract/credit.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import type { Hold } from '../../contract/retention.ts'
import type { Student, StudentMerge } from '../../contract/student.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { lockRows, type ResourceRows, type StoredRow, updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { AVAILABILITY } from '../../db/students/availability.ts'
import { moveEnquiries } from '../../db/students/enquiries.ts'
import { ENROLMENTS, lockEnrolmentsOf, type StoredEnrolment } from '../../db/students/enrolments.ts'
import { findHold, moveHold } from '../../db/students/holds.ts'
import { endLink } from '../../db/students/links.ts'
import {
  findOverlap,
  hasSigned,
  lockLessonsOf,
  type MergedLesson,
  type MergedPair,
  moveUnlogged,
  type RowMove,
  writeLessonMoves,
} from '../../db/students/merged-rows.ts'
import { takeWaitingBalance, writeWaiting } from '../../db/students/opening-balances.ts'
import { listRowIdsOf } from '../../db/students/rows-of-students.ts'
import { lockStudents, setDeleted } from '../../db/students/student-sets.ts'
import { findStudent, markMerge, type StoredStudent } from '../../db/students/students.ts'
import { TICKS } from '../../db/students/ticks.ts'
import { WISHES } from '../../db/students/wishes.ts'
import { isOpen } from '../../domain/enrolments.ts'
import { localToday } from '../../domain/time-zone.ts'
import { commitOnce } from '../idempotent.ts'
import { writeEnrolled } from '../trainings/choose-class.ts'

type Two = { readonly self: StoredStudent; readonly other: StoredStudent }

const NOT_ITSELF = {
  pointer: '/other_id',
  code: 'not_allowed',
  detail: 'other_id must be that of another student.',
}

/**
 * Makes two students one, in one transaction: the other's rows move, and the other is deleted. Throws `invalid_request`,
 * `not_found`, `student_busy` and `student_signed`. Fails if the key is taken.
 */
export async function mergeStudents(
  database: DatabasePool,
  actor: Actor,
  id: string,
  merge: StudentMerge,
  key?: IdempotencyKey,
): Promise<Student> {
  if (merge.other_id === id) throw invalidRequest([NOT_ITSELF])
  return inTransaction(database, async (db, commitWith) => {
    // The lock order of bookings: calendars before rows.
    await lockCalendars(db, actor.tenant.id, [id, merge.other_id])
    return commitOnce({ db, actor, commitWith }, key, mergeLocked(db, actor, id, merge))
  })
}

async function mergeLocked(
  db: Transaction,
  actor: Actor,
  id: string,
  { other_id, take = {} }: StudentMerge,
): Promise<Student> {
  const tenantId = actor.tenant.id
  const known = new Map((await lockStudents(db, tenantId, [id, other_id])).map((one) => [one.id, one]))
  const [self, other] = [known.get(id), known.get(other_id)]
  if (!self || self.deleted || !other || other.deleted) throw notFound()
  const pair = { self: id, other: other_id }
  await lockSession(db, actor)
  await requireUnsigned(db, tenantId, pair)
  const overlap = await findOverlap(db, tenantId, pair)
  if (overlap) throw new Problem('student_busy', { params: { ...overlap } })
  const lessons = await lockLessonsOf(db, tenantId, other_id)
  const into = await moveEnrolments(db, actor, { self, other }, take.license_class_template_id === 'other')
  await writeLessonMoves(db, actor, movesOf(lessons, pair, into))
  await moveRows(db, actor, { ...pair, into })
  await moveUnlogged(db, tenantId, pair)
  await moveEnquiries(db, actor, { from: other_id, to: id })
  const current = (await lockEnrolmentsOf(db, tenantId, [id])).find(({ is_current }) => is_current)
  const next = {
    ...mergedFields({ self, other }, take),
    license_class_template_id: current?.template_id ?? null,
  }
  const written = await writeEnrolled(db, actor, { stored: self, next })
  await markMerge(db, actor, written, { before: null, after: other_id })
  await carryHold(db, actor, pair)
  await deleteDouble(db, actor, other)
  const merged = await findStudent(db, tenantId, id)
  if (!merged) throw notFound()
  return merged
}

async function requireUnsigned(
  db: Transaction,
  tenantId: string,
  { self, other }: MergedPair,
): Promise<void> {
  if (!(await hasSigned(db, tenantId, other))) return
  throw new Problem('student_signed', { params: { both: await hasSigned(db, tenantId, self) } })
}

const MAX_REASON = 200

async function carryHold(db: Transaction, actor: Actor, { self, other }: MergedPair): Promise<void> {
  const theirs = await findHold(db, actor.tenant.id, other)
  if (!theirs) return
  const before = (await findHold(db, actor.tenant.id, self)) ?? null
  await moveHold(db, actor, self, { before, after: before ? joinedHold(before, theirs) : theirs })
}

function joinedHold(own: Hold, theirs: Hold): Hold {
  const reason = [...new Set([own.reason, theirs.reason])].join('; ').slice(0, MAX_REASON)
  const [until, later] = [own.until, theirs.until].toSorted()
  return { reason, until: until === null || later === null ? null : (later ?? null) }
}

export async function deleteDouble(db: Transaction, actor: Actor, stored: StoredStudent): Promise<void> {
  await writeEnrolled(db, actor, { stored, next: { ...stored, license_class_template_id: null } })
  const left = await lockStudents(db, actor.tenant.id, [stored.id])
  await setDeleted(db, actor, left, true)
  await endLink(db, actor, { kind: 'student_link', id: stored.id })
}

/** Returns the fields of the merged student: a former one only if both are, since the later date. */
function mergedFields({ self, other }: Two, take: NonNullable<StudentMerge['take']>): StoredStudent {
  const taken = Object.entries(take).flatMap(([name, from]) =>
    from === 'other' ? [[name, other[name as keyof StoredStudent]]] : [],
  )
  const dates = [self.archived_at, other.archived_at].toSorted()
  const archived_at = dates.includes(null) ? null : (dates.at(-1) ?? null)
  return { ...self, ...Object.fromEntries(taken), archived_at }
}

/** Moves the other's enrolments. Returns the id under which each goes on: of two open ones of a class, the student's own. */
async function moveEnrolments(
  db: Transaction,
  actor: Actor,
  { self, other }: Two,
  takesClass: boolean,
): Promise<ReadonlyMap<string, string>> {
  const tenantId = actor.tenant.id
  const today = localToday(actor.now, actor.tenant.timezone)
  const all = await lockEnrolmentsOf(db, tenantId, [self.id, other.id])
  const own = all.filter(({ student_id }) => student_id === self.id)
  const others = all.filter(({ student_id }) => student_id === other.id)
  const twinOf = (one: StoredEnrolment) =>
    isOpen(one) ? own.find((mine) => isOpen(mine) && mine.license_class === one.license_class) : undefined
  const waiting = creditsFor(await takeWaitingBalance(db, tenantId, other.id))
  const into = new Map(others.map((one) => [one.id, twinOf(one)?.id ?? one.id]))
  const [mine, theirs] = [own, others].map((some) => some.find(({ is_current }) => is_current))
  const chosen = mine && !(takesClass && theirs) ? mine : theirs
  const current = chosen && (into.get(chosen.id) ?? chosen.id)
  const credits = new Map<string, Credits>(own.map((one) => [one.id, one.credits]))
  for (const one of others) {
    const twin = twinOf(one)
    if (twin) credits.set(twin.id, [...(credits.get(twin.id) ?? []), ...one.credits])
  }
  if (waiting.length > 0 && mine) credits.set(mine.id, [...(credits.get(mine.id) ?? []), ...waiting])
  else if (waiting.length > 0)
    await writeWaiting(db, tenantId, {
      id: self.id,
      balance: [...self.opening_balance, ...other.opening_balance],
    })
  const writes = all.map((stored) => {
    const isEnded = into.has(stored.id) && into.get(stored.id) !== stored.id
    const end = {
      outcome: 'changed',
      ends_on: stored.begins_on > today ? stored.begins_on : today,
      credits: [],
    }
    const next = {
      ...stored,
      student_id: self.id,
      is_current: stored.id === current,
      ...(credits.has(stored.id) && { credits: credits.get(stored.id) }),
      ...(isEnded && end),
    } as StoredEnrolment
    return { stored, next }
  })
  for (const write of writes.toSorted((a, b) => rankOf(a.next) - rankOf(b.next)))
    await updateRow(db, actor, ENROLMENTS, write)
  // Units that waited for the student's first training belong to it now.
  if (!mine && current && self.opening_balance.length > 0) {
    const [stored] = await lockRows(db, tenantId, ENROLMENTS, [current])
    const brought = creditsFor(await takeWaitingBalance(db, tenantId, self.id))
    if (stored)
      await updateRow(db, actor, ENROLMENTS, {
        stored,
        next: { ...stored, credits: [...brought, ...stored.credits] },
      })
  }
  return into
}

function rankOf({ is_current, outcome }: StoredEnrolment): number {
  return is_current ? 3 : outcome === null ? 2 : 1
}

function movesOf(
  lessons: readonly MergedLesson[],
  { self, other }: MergedPair,
  into: ReadonlyMap<string, string>,
): readonly RowMove[] {
  const placed = (id: string) => into.get(id) ?? id
  return lessons.map(({ id, version, student_id, enrolment_id, attendees }) => {
    if (student_id === other) {
      const to = enrolment_id && placed(enrolment_id)
      const isSame = to === enrolment_id
      const before = { student_id, ...(!isSame && { enrolment_id }) }
      return { id, version, before, after: { student_id: self, ...(!isSame && { enrolment_id: to }) } }
    }
    // A cancelled group may have both.
    const seats = attendees.some((one) => one.student_id === self)
      ? attendees.filter((one) => one.student_id !== other)
      : attendees.map((one) =>
          one.student_id === other
            ? {
                ...one,
                student_id: self,
                ...(one.enrolment_id && { enrolment_id: placed(one.enrolment_id) }),
              }
            : one,
        )
    return { id, version, before: { attendees }, after: { attendees: seats } }
  })
}

type Own = { readonly id: string; readonly version: number; readonly student_id: string }

/** Moves ticks, wishes and answers, deleted ones too. A tick or an answer that the student has stays where it is. */
async function moveRows(
  db: Transaction,
  actor: Actor,
  { self, other, into }: MergedPair & { readonly into: ReadonlyMap<string, string> },
): Promise<void> {
  const tenantId = actor.tenant.id
  const idsOf = (table: 'availability' | 'ticks' | 'wishes', id: string) =>
    listRowIdsOf(db, tenantId, table, id)
  const ticked = new Set(
    (await lockRows(db, tenantId, TICKS, await idsOf('ticks', self)))
      .filter(({ deleted }) => !deleted)
      .map(({ enrolment_id, kind }) => `${enrolment_id} ${kind}`),
  )
  await moveAll(db, actor, TICKS, await idsOf('ticks', other), ({ enrolment_id, kind }) => {
    const to = into.get(enrolment_id) ?? enrolment_id
    return { student_id: self, enrolment_id: ticked.has(`${to} ${kind}`) ? enrolment_id : to }
  })
  await moveAll(db, actor, WISHES, await idsOf('wishes', other), () => ({ student_id: self }))
  const answered = new Set(
    (await lockRows(db, tenantId, AVAILABILITY, await idsOf('availability', self)))
      .filter(({ deleted }) => !deleted)
      .map(({ week_start }) => week_start),
  )
  await moveAll(db, actor, AVAILABILITY, await idsOf('availability', other), ({ week_start, deleted }) =>
    deleted || !answered.has(week_start) ? { student_id: self } : undefined,
  )
}

async function moveAll<One extends Own>(
  db: Transaction,
  actor: Actor,
  rows: ResourceRows<One>,
  ids: readonly string[],
  placeOf: (row: StoredRow<One>) => Partial<One> | undefined,
): Promise<void> {
  for (const stored of await lockRows(db, actor.tenant.id, rows, ids)) {
    const place = placeOf(stored)
    if (place) await updateRow(db, actor, rows, { stored, next: { ...stored, ...place } })
  }
}
