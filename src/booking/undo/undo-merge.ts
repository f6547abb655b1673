import type { Actor } from '../../contract/actor.ts'
import type { Resource } from '../../contract/change.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import type { Hold } from '../../contract/retention.ts'
import type { SetUndo } from '../../contract/undo.ts'
import { lockAppointments } from '../../db/appointments/appointments.ts'
import type { SetChange } from '../../db/log/change-sets.ts'
import { lockRows, type ResourceRows, type StoredRow, updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { AVAILABILITY } from '../../db/students/availability.ts'
import { moveEnquiries } from '../../db/students/enquiries.ts'
import { ENROLMENTS, lockEnrolmentsOf, type StoredEnrolment } from '../../db/students/enrolments.ts'
import { moveHold } from '../../db/students/holds.ts'
import {
  findOverlap,
  hasSigned,
  hasSignedAny,
  isTied,
  moveUnlogged,
  writeLessonMoves,
} from '../../db/students/merged-rows.ts'
import { writeWaiting } from '../../db/students/opening-balances.ts'
import { lockStudents, setDeleted } from '../../db/students/student-sets.ts'
import { markMerge, type StoredStudent } from '../../db/students/students.ts'
import { TICKS } from '../../db/students/ticks.ts'
import { WISHES } from '../../db/students/wishes.ts'
import { isOpen } from '../../domain/enrolments.ts'
import { deleteDouble } from '../students/merge-students.ts'
import { writeEnrolled } from '../trainings/choose-class.ts'

const ROWS: Partial<Readonly<Record<Resource, ResourceRows>>> = {
  enrolment: ENROLMENTS,
  tick: TICKS,
  wish: WISHES,
  availability: AVAILABILITY,
}

/** A merge, or the undo of one. */
type Merge = {
  readonly kept: string
  readonly double: string
  /** Whether the double was deleted: an undo restores it. */
  readonly isMerged: boolean
  /** The changes, joined by row. */
  readonly changes: readonly Joined[]
}

/** Returns the merge that a set was, if it was one: the student who is kept has the mark of the double. */
export function mergeIn(changes: readonly SetChange[]): Merge | undefined {
  for (const { resource, resource_id: kept, before, after } of changes) {
    if (resource !== 'student' || !after || !('merged_id' in after)) continue
    const isMerged = after.merged_id !== null
    const double = String(isMerged ? after.merged_id : before?.merged_id)
    const rows = Map.groupBy(changes, ({ resource_id }) => resource_id)
    return { kept, double, isMerged, changes: [...rows.values()].map(joined) }
  }
  return undefined
}

type Joined = SetChange & { readonly version: number }

/** Joins the changes of a row: the earliest values before and the latest after. */
function joined(changes: readonly SetChange[]): Joined {
  const [last] = changes.slice(-1) as [SetChange]
  const toggled = changes.find(({ action }) => action !== 'changed')
  const before: object = Object.assign({}, ...changes.toReversed().map((one) => one.before))
  const after: object = Object.assign({}, ...changes.map((one) => one.after))
  const sides = { before, after } as Pick<SetChange, 'before' | 'after'>
  return { ...last, action: toggled?.action ?? 'changed', ...sides, version: versionAfter(last) }
}

type Side = SetChange['before']

/** Undoes a merge as a whole, or nothing of it if something stands in the way. Lock the calendars first. */
export async function undoMerge(db: Transaction, actor: Actor, merge: Merge): Promise<SetUndo> {
  const { kept, double, isMerged, changes } = merge
  const tenantId = actor.tenant.id
  const undone = changes.map(({ resource_id }) => resource_id)
  const refuse = (code: string): SetUndo => ({
    set_id: actor.set_id,
    undone: [],
    refused: changes.map(({ resource, resource_id }) => ({ resource, resource_id, code })),
  })
  const of = (resource: Resource) => changes.filter((one) => one.resource === resource)
  const lessons = await lockAppointments(db, tenantId, idsOf(of('appointment')))
  const students = new Map((await lockStudents(db, tenantId, [kept, double])).map((one) => [one.id, one]))
  const [self, other] = [students.get(kept), students.get(double)]
  if (!self || !other || self.deleted) return refuse('erased')
  const stored = new Map<string, StoredRow<Versioned>>([...lessons, self, other].map((one) => [one.id, one]))
  for (const [resource, rows] of Object.entries(ROWS))
    for (const row of await lockRows(db, tenantId, rows, idsOf(of(resource as Resource))))
      stored.set((row as StoredRow<Versioned>).id, row as StoredRow<Versioned>)
  const isChanged = ({ resource, resource_id, version }: Joined) =>
    // An enquiry may have been deleted since, which changes nothing of the student.
    resource !== 'enquiry' && stored.get(resource_id)?.version !== version
  if (changes.some(isChanged)) return refuse('changed_since')
  const obstacle = await obstacleTo(db, tenantId, merge, stored)
  if (obstacle) return refuse(obstacle)
  const back = (one: SetChange) => without(one.before)
  await writeEnrolments(db, actor, of('enrolment'), stored)
  await writeLessonMoves(
    db,
    actor,
    of('appointment').map((one) => {
      const { id, version } = stored.get(one.resource_id) as Versioned
      return { id, version, before: without(one.after), after: back(one) }
    }),
  )
  for (const [resource, rows] of Object.entries(ROWS))
    if (resource !== 'enrolment')
      for (const one of of(resource as Resource)) await write(db, actor, rows, one, stored)
  const pair = isMerged ? { self: double, other: kept } : { self: kept, other: double }
  const undoneSet = actor.undoes && { lessons: idsOf(of('appointment')), set_id: actor.undoes }
  await moveUnlogged(db, tenantId, pair, isMerged && undoneSet ? undoneSet : undefined)
  await moveEnquiries(db, actor, { from: pair.other, to: pair.self, ids: idsOf(of('enquiry')) })
  await writeStudents(db, actor, { merge, self, other })
  return { set_id: actor.set_id, undone, refused: [] }
}

type Versioned = { readonly id: string; readonly version: number }
type StoredRows = ReadonlyMap<string, StoredRow<Versioned>>

/** Returns the reason why rows cannot move, though they are unchanged; undefined if they can. */
async function obstacleTo(
  db: Transaction,
  tenantId: string,
  { kept, double, isMerged, changes }: Merge,
  known: StoredRows,
): Promise<string | undefined> {
  const of = (resource: Resource) => changes.filter((one) => one.resource === resource)
  const enrolments = idsOf(of('enrolment').filter(({ before }) => before && 'student_id' in before))
  const rows = idsOf(changes)
  if (await isTied(db, tenantId, { enrolments, rows, student_id: isMerged ? null : double })) return 'in_use'
  const isSigned = isMerged
    ? await hasSignedAny(db, tenantId, kept, { lessons: idsOf(of('appointment')), enrolments })
    : await hasSigned(db, tenantId, double)
  if (isSigned) return 'student_signed'
  if (!isMerged && (await findOverlap(db, tenantId, { self: kept, other: double }))) return 'student_busy'
  const all = await lockEnrolmentsOf(db, tenantId, [kept, double])
  const next = of('enrolment').map(
    ({ resource_id, before }) => ({ ...known.get(resource_id), ...without(before) }) as StoredEnrolment,
  )
  const beside = all.filter(({ id }) => !next.some((one) => one.id === id))
  return next.some((one) => beside.some((other) => excludes(one, other))) ? 'changed_since' : undefined
}

/** Whether two enrolments cannot both stand: of a student, one is current, and one open in each class. */
function excludes(one: StoredEnrolment, other: StoredEnrolment): boolean {
  if (one.student_id !== other.student_id) return false
  const isSameOpen = isOpen(one) && isOpen(other) && one.license_class === other.license_class
  return isSameOpen || (one.is_current && other.is_current)
}

function idsOf(changes: readonly SetChange[]): readonly string[] {
  return changes.map(({ resource_id }) => resource_id)
}

function versionAfter({ before, after }: SetChange): number {
  return Number(after?.version ?? Number(before?.version) + 1)
}

function without(side: Side): Readonly<Record<string, unknown>> {
  const { version: _, ...fields } = (side ?? {}) as Readonly<Record<string, unknown>>
  return fields
}

async function write(
  db: Transaction,
  actor: Actor,
  rows: ResourceRows,
  { resource_id, before }: SetChange,
  known: StoredRows,
): Promise<void> {
  const stored = known.get(resource_id)
  if (stored) await updateRow(db, actor, rows, { stored, next: { ...stored, ...without(before) } })
}

/** Writes enrolments so that no two are open or current at once: first those that end, of others first those that leave. */
async function writeEnrolments(
  db: Transaction,
  actor: Actor,
  changes: readonly SetChange[],
  known: StoredRows,
): Promise<void> {
  const rankOf = ({ resource_id, before }: SetChange) => {
    const next = { ...known.get(resource_id), ...without(before) } as {
      readonly is_current?: boolean
      readonly outcome?: string | null
    }
    const rank = next.is_current ? 3 : next.outcome === null ? 2 : 1
    return 2 * rank + (before && 'student_id' in before ? 0 : 1)
  }
  for (const one of changes.toSorted((a, b) => rankOf(a) - rankOf(b)))
    await write(db, actor, ENROLMENTS, one, known)
}

type Writing = { readonly merge: Merge; readonly self: StoredStudent; readonly other: StoredStudent }

async function writeStudents(
  db: Transaction,
  actor: Actor,
  { merge: { double, kept, isMerged, changes }, self, other }: Writing,
): Promise<void> {
  const sideOf = (id: string) =>
    changes.find(({ resource, resource_id }) => resource === 'student' && resource_id === id)
  const balanceIn = (side: Side) => without(side).opening_balance as OpeningBalance | undefined
  const waiting = [
    { id: kept, balance: balanceIn(sideOf(kept)?.before ?? null) ?? self.opening_balance },
    { id: double, balance: isMerged ? balanceIn(sideOf(double)?.before ?? null) : [] },
  ]
  for (const { id, balance } of waiting) await restoreWaiting(db, actor, id, balance)
  const side = sideOf(kept)
  const {
    opening_balance: _,
    hold_reason,
    hold_until: __,
    merged_id: ___,
    ...fields
  } = without(side?.before ?? null)
  const written = await writeEnrolled(db, actor, { stored: self, next: { ...self, ...fields } })
  const mark = isMerged ? { before: double, after: null } : { before: null, after: double }
  await markMerge(db, actor, written, mark)
  if (hold_reason !== undefined)
    await moveHold(db, actor, kept, { before: holdIn(side?.after), after: holdIn(side?.before) })
  if (!isMerged) return deleteDouble(db, actor, other)
  const [deleted] = await lockStudents(db, actor.tenant.id, [double])
  if (deleted) await setDeleted(db, actor, [deleted], false)
  const [restored] = await lockStudents(db, actor.tenant.id, [double])
  const { license_class_template_id } = without(sideOf(double)?.before ?? null) as Partial<StoredStudent>
  if (restored && license_class_template_id !== undefined)
    await writeEnrolled(db, actor, { stored: restored, next: { ...restored, license_class_template_id } })
}

function holdIn(side: Side | undefined): Hold | null {
  const { hold_reason: reason, hold_until: until } = without(side ?? null)
  return typeof reason === 'string' ? { reason, until: (until as Hold['until']) ?? null } : null
}

async function restoreWaiting(
  db: Transaction,
  { tenant }: Actor,
  id: string,
  balance: OpeningBalance | undefined,
): Promise<void> {
  if (!balance) return
  const hasCurrent = (await lockEnrolmentsOf(db, tenant.id, [id])).some(({ is_current }) => is_current)
  await writeWaiting(db, tenant.id, { id, balance: hasCurrent ? [] : balance })
}
