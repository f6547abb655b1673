import { cancelFutureAppointmentsOf } from '../../db/appointments/appointment-sets.ts'
import { leaveFutureGroups } from '../../db/appointments/groups.ts'
import { endLink } from '../../db/students/links.ts'
import {
  listLinked,
  listUncancelledLessons,
  setDeleted,
  type UncancelledLesson,
} from '../../db/students/student-sets.ts'
import type { StoredStudent } from '../../db/students/students.ts'
import { isStudentIn } from '../../domain/counted.ts'
import type { Run } from '../../domain/steps.ts'
import { localNow } from '../../domain/time-zone.ts'
import { requireArchivable, writeStudent } from '../students/change-student.ts'
import type { Reversal } from './reversals.ts'
import { codeOf } from './undo-rows.ts'
import type { UndoTransaction } from './undoing.ts'

const STUDENTS_A_PART = 250

type Pair = { readonly reversal: Reversal; readonly stored: StoredStudent }

export async function undoStudents(undoing: UndoTransaction): Promise<void> {
  const { db, actor, slicer } = undoing
  const pairs = unchanged(undoing)
  await inParts(pairs, 'restore', async (part) => {
    await slicer.pause()
    await setDeleted(
      db,
      actor,
      part.map(({ stored }) => stored),
      false,
    )
    for (const { reversal } of part) undoing.done(reversal)
  })
  await inParts(pairs, 'change', async (part) => {
    for (const { reversal, stored } of part) {
      await slicer.pause()
      // The balance follows the enrolments, which are undone before.
      const { opening_balance: _, ...fields } = reversal.fields
      const next = { ...stored, ...fields }
      const code = await requireArchivable(db, actor, { stored, next }).catch(codeOf)
      const version = code ? undefined : (await writeStudent(db, actor, { stored, next })).version
      if (code) undoing.refuse(reversal, code)
      else if (version !== stored.version) undoing.done(reversal)
      else undoing.refuse(reversal, 'changed_since')
    }
  })
  await inParts(pairs, 'delete', async (part) => {
    await slicer.pause()
    await deletePart(undoing, part)
  })
}

function unchanged(undoing: UndoTransaction): readonly Pair[] {
  return undoing.take('student').flatMap((reversal) => {
    const stored = undoing.locked.students.get(reversal.id)
    if (stored?.version === reversal.version) return [{ reversal, stored }]
    undoing.refuse(reversal, stored ? 'changed_since' : 'erased')
    return []
  })
}

async function inParts(
  pairs: readonly Pair[],
  action: Reversal['action'],
  work: (part: readonly Pair[]) => Promise<void>,
): Promise<void> {
  const wanted = pairs.filter(({ reversal }) => reversal.action === action)
  for (let at = 0; at < wanted.length; at += STUDENTS_A_PART)
    await work(wanted.slice(at, at + STUDENTS_A_PART))
}

async function deletePart(undoing: UndoTransaction, part: readonly Pair[]): Promise<void> {
  const { db, actor, slicer } = undoing
  const ids = part.map(({ stored }) => stored.id)
  const standing = await listUncancelledLessons(db, actor.tenant.id, ids)
  const lessonsOf = Map.groupBy(standing, ({ student_id }) => student_id ?? '')
  const gone = part.filter((pair) => canGo(undoing, pair, lessonsOf.get(pair.stored.id) ?? []))
  await setDeleted(
    db,
    actor,
    gone.map(({ stored }) => stored),
    true,
  )
  const linked = new Set(await listLinked(db, actor.tenant.id, ids))
  for (const { reversal, stored } of gone) {
    if (lessonsOf.has(stored.id)) {
      const run: Run = (steps) => slicer.run(steps)
      await cancelFutureAppointmentsOf(db, actor, { student_id: stored.id, run })
      await leaveFutureGroups(db, actor, stored.id)
    }
    if (linked.has(stored.id)) await endLink(db, actor, { kind: 'student_link', id: stored.id })
    undoing.done(reversal)
  }
}

function canGo(
  undoing: UndoTransaction,
  { reversal, stored }: Pair,
  standing: readonly UncancelledLesson[],
): boolean {
  const { actor, locked } = undoing
  const now = localNow(actor.now, actor.tenant.timezone)
  const isOwn = ({ id }: Reversal) => {
    const lesson = locked.lessons.get(id)
    return lesson !== undefined && isStudentIn(lesson, stored.id)
  }
  const cancelled = undoing.take('appointment', isOwn)
  const planned = new Set(cancelled.map(({ id, version }) => `${id} ${version}`))
  const isOfSet = ({ id }: UncancelledLesson) => planned.has(`${id} ${locked.lessons.get(id)?.version}`)
  const isInTheWay = (one: UncancelledLesson) =>
    one.status === 'planned' && one.start_at > now && !isOfSet(one)
  const isNew = reversal.version === 1
  const blocks = standing.filter(isNew ? (one) => !isOfSet(one) : isInTheWay)
  const refused = [reversal, ...cancelled]
  if (blocks.length > 0) for (const one of refused) undoing.refuse(one, 'in_use')
  else for (const one of cancelled) settle(undoing, one, now)
  return blocks.length === 0
}

/** Reports a coming unchanged lesson as undone, since deleting the student cancels or leaves it. Refuses any other. */
function settle(undoing: UndoTransaction, reversal: Reversal, now: string): void {
  const lesson = undoing.locked.lessons.get(reversal.id)
  const isCancelled = lesson?.version === reversal.version && lesson.start_at > now
  if (isCancelled) undoing.done(reversal)
  else undoing.refuse(reversal, 'changed_since')
}
