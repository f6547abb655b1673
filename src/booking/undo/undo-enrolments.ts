import type { Actor } from '../../contract/actor.ts'
import { balanceOf } from '../../contract/credit.ts'
import { moveLessons } from '../../db/appointments/lesson-enrolments.ts'
import { lockRows, updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import {
  ENROLMENTS,
  isEnrolmentUsed,
  lockEnrolmentsOf,
  type StoredEnrolment,
} from '../../db/students/enrolments.ts'
import { writeWaiting } from '../../db/students/opening-balances.ts'
import { isOpen } from '../../domain/enrolments.ts'
import { type EnrolmentWrite, takeWaiting, withCredits, writeEnrolled } from '../trainings/choose-class.ts'
import type { Reversal } from './reversals.ts'
import type { UndoTransaction } from './undoing.ts'

const ENROLMENTS_A_PART = 250

type Pair = { readonly reversal: Reversal; readonly stored: StoredEnrolment }

type Settling = { readonly afterStudents: () => Promise<void>; readonly afterLessons: () => Promise<void> }

/** Undoes the enrolments of a set, all of a student or none. Lock the students first. Returns the steps to take later. */
export async function undoEnrolments(undoing: UndoTransaction): Promise<Settling> {
  const pairs = await lockedPairs(undoing)
  const added = new Set(
    undoing
      .left('student')
      .filter(({ action }) => action === 'delete')
      .map(({ id }) => id),
  )
  const ofNew = pairs.filter(({ stored }) => added.has(stored.student_id))
  const byStudent = Map.groupBy(
    pairs.filter(({ stored }) => !added.has(stored.student_id)),
    ({ stored }) => stored.student_id,
  )
  const leaving = lessonsOfSet(undoing)
  const staying = new Map<string, string>()
  for (const [student_id, own] of byStudent) {
    await undoing.slicer.pause()
    const code = await undoOwn(undoing, { student_id, leaving }, own)
    for (const { reversal } of own) {
      if (code) undoing.refuse(reversal, code)
      else undoing.done(reversal)
    }
    if (code) staying.set(student_id, code)
  }
  if (staying.size > 0) keepClasses(undoing, staying)
  const isDeleted = ({ reversal }: Pair) =>
    reversal.action === 'delete' && undoing.undone.includes(reversal.id)
  return {
    afterStudents: async () => {
      // A deleted student keeps the enrolments, so that a restored one has them.
      for (const { reversal, stored } of ofNew) {
        if (undoing.undone.includes(stored.student_id)) undoing.done(reversal)
        else undoing.refuse(reversal, 'in_use')
      }
      for (const student_id of byStudent.keys()) await settleClass(undoing, student_id)
    },
    afterLessons: async () => {
      for (const [student_id, own] of byStudent) {
        const from = own.filter(isDeleted).map(({ stored }) => stored.id)
        if (from.length > 0) await settleLessons(undoing, student_id, from)
      }
    },
  }
}

/** Leaves the classes of students whose enrolments stay, and the enrolments of their lessons. `staying` has the codes. */
function keepClasses(undoing: UndoTransaction, staying: ReadonlyMap<string, string>): void {
  undoing.omitFields('student', ['license_class_template_id'], ({ id }) => staying.get(id))
  undoing.omitFields('appointment', LESSON_FIELDS, ({ id }) => {
    const { student_id = null, attendees = [] } = undoing.locked.lessons.get(id) ?? {}
    const students = [student_id ?? '', ...attendees.map((one) => one.student_id)]
    return students.map((one) => staying.get(one)).find((code) => code !== undefined)
  })
}

const LESSON_FIELDS = ['enrolment_id', 'attendees']

async function lockedPairs(undoing: UndoTransaction): Promise<readonly Pair[]> {
  const { db, actor, slicer } = undoing
  const reversals = undoing.take('enrolment')
  const pairs: Pair[] = []
  for (let at = 0; at < reversals.length; at += ENROLMENTS_A_PART) {
    await slicer.pause()
    const part = reversals.slice(at, at + ENROLMENTS_A_PART)
    const rows = await lockRows(
      db,
      actor.tenant.id,
      ENROLMENTS,
      part.map(({ id }) => id),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const reversal of part) {
      const stored = byId.get(reversal.id)
      if (stored) pairs.push({ reversal, stored })
      else undoing.refuse(reversal, 'erased')
    }
  }
  return pairs
}

/** Returns the reason why a student's enrolments stay, if any. */
async function undoOwn(
  { db, actor }: UndoTransaction,
  { student_id, leaving }: { readonly student_id: string; readonly leaving: readonly string[] },
  pairs: readonly Pair[],
): Promise<string | undefined> {
  if (pairs.some(({ reversal, stored }) => reversal.version !== stored.version)) return 'changed_since'
  const writes = pairs.map(({ reversal: { action, fields }, stored }) => ({
    stored,
    next: { ...stored, ...fields, deleted: action === 'delete' },
  }))
  for (const { stored, next } of writes) {
    const losesCredits = !writes.some((one) => one.next.is_current && !one.next.deleted)
    const use = { actor, leaving, losesCredits }
    if (next.deleted && (await isEnrolmentUsed(db, actor.tenant.id, stored, use))) return 'in_use'
  }
  const others = (await lockEnrolmentsOf(db, actor.tenant.id, [student_id])).filter(
    ({ id }) => !writes.some(({ stored }) => stored.id === id),
  )
  const after = [...others, ...writes.map(({ next }) => next).filter(({ deleted }) => !deleted)]
  const open = after.filter(isOpen).map(({ license_class }) => license_class)
  if (new Set(open).size < open.length) return 'already_enrolled'
  if (after.filter(({ is_current }) => is_current).length > 1) return 'already_enrolled'
  for (const write of writes.toSorted((a, b) => rankOf(a.next) - rankOf(b.next)))
    await updateRow(
      db,
      actor,
      ENROLMENTS,
      await withWaiting(db, actor, await withoutCredits(db, actor, write)),
    )
  return undefined
}

/** Returns the lessons of the set that are as the set has left them. */
function lessonsOfSet(undoing: UndoTransaction): readonly string[] {
  const isUnchanged = ({ id, version }: Reversal) => undoing.locked.lessons.get(id)?.version === version
  return undoing
    .left('appointment')
    .filter(isUnchanged)
    .map(({ id }) => id)
}

/** Lets the credits of an enrolment that goes wait for the student's next one, as they did before. */
async function withoutCredits(
  db: Transaction,
  actor: Actor,
  { stored, next }: EnrolmentWrite,
): Promise<EnrolmentWrite> {
  if (!next.deleted || stored.deleted || stored.credits.length === 0) return { stored, next }
  const bare = { ...stored, credits: [] }
  await updateRow(db, actor, ENROLMENTS, { stored, next: bare })
  const balance = balanceOf(stored.credits)
  await writeWaiting(db, actor.tenant.id, { id: stored.student_id, balance })
  return { stored: { ...bare, version: stored.version + 1 }, next: { ...next, credits: [] } }
}

async function withWaiting(db: Transaction, actor: Actor, { stored, next }: EnrolmentWrite) {
  const becomesCurrent = next.is_current && !next.deleted && (stored.deleted || !stored.is_current)
  const waiting = becomesCurrent ? await takeWaiting(db, actor, stored.student_id) : []
  return withCredits({ stored, next }, waiting)
}

/** Ranks writes so that no two rows are open or current at once. */
function rankOf({ deleted, is_current, outcome }: StoredEnrolment): number {
  if (deleted) return 0
  return is_current ? 3 : outcome === null ? 2 : 1
}

async function settleClass(
  { db, actor, locked, undone }: UndoTransaction,
  student_id: string,
): Promise<void> {
  const stored = locked.students.get(student_id)
  if (!stored || undone.includes(student_id)) return
  const license_class_template_id = (await findCurrent(db, actor, student_id))?.template_id ?? null
  await writeEnrolled(db, actor, { stored, next: { ...stored, license_class_template_id } })
}

/** Moves lessons that have been booked for deleted enrolments since. */
async function settleLessons(
  { db, actor }: UndoTransaction,
  student_id: string,
  from: readonly string[],
): Promise<void> {
  const to = (await findCurrent(db, actor, student_id)) ?? null
  await moveLessons(db, actor, { student_id, from, to })
}

async function findCurrent(
  db: Transaction,
  { tenant }: Actor,
  student_id: string,
): Promise<StoredEnrolment | undefined> {
  return (await lockEnrolmentsOf(db, tenant.id, [student_id])).find((one) => one.is_current)
}
