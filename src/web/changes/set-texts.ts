import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Change } from '../../contract/change.ts'
import type { SetUndo } from '../../contract/undo.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { nameOf, type School } from '../ui/school.tsx'
import { isScrubbed } from './change-texts.ts'

/** The maximum number of names in a message. */
const MAX_NAMED = 3

const UNDOABLE: ReadonlySet<string> = new Set(['appointment', 'student', 'instructor', 'tenant'])
const REASONS = ['changed_since', 'in_use', 'erased', 'not_found', 'not_undoable'] as const

/**
 * Whether to offer undoing a whole set at a change: only at the newest of several, if one of them can probably be undone. A
 * single deletion has its own button. `all` are the loaded changes, newest first.
 */
export function isUndoableSet({ id, set_id }: Change, all: readonly Change[]): boolean {
  const ofSet = all.filter((one) => one.set_id === set_id)
  if (ofSet[0]?.id !== id || ofSet.length < 2) return false
  if (ofSet.some(({ action, resource }) => action === 'erased' || resource === 'schedule_request'))
    return false
  if (all.some(({ undoes }) => undoes === set_id)) return false
  return ofSet.some((one) => UNDOABLE.has(one.resource) && !isScrubbed(one) && isNewest(one, all))
}

function isNewest({ resource_id, set_id }: Change, all: readonly Change[]): boolean {
  return all.find((one) => one.resource_id === resource_id)?.set_id === set_id
}

type NamedLesson = Parameters<typeof lessonText>[0] & Pick<Appointment, 'id'>

/** The changes and lessons that names are taken from. */
export type NameSources = {
  readonly all: readonly Change[]
  readonly lessons?: readonly NamedLesson[]
  readonly school: School
  readonly t: TFunction
}

/** Returns a text such as "Ben Kurz has been changed since. One more stays as it is." */
export function staysText({ refused }: SetUndo, known: NameSources): string {
  const { t } = known
  const sentences = refused.slice(0, MAX_NAMED).map(({ resource, resource_id, code }) => {
    const reason = REASONS.find((one) => one === code) ?? 'rule'
    const what = nameFor(resource_id, known) ?? t(`kinds.${resource}`)
    return t(`setUndo.${reason}`, { what })
  })
  const count = refused.length - sentences.length
  return [...sentences, ...(count > 0 ? [t('setUndo.more', { count })] : [])].join(' ')
}

/** Returns a text such as "12 of 13 changes undone. Ben Kurz has been changed since." */
export function outcomeText(answer: SetUndo, known: NameSources): string {
  const done = answer.undone.length
  const count = done + answer.refused.length
  return `${known.t('setUndo.partly', { done, count })} ${staysText(answer, known)}`
}

/** Returns the current name of a person or lesson, or else the one in the changes. */
function nameFor(id: string, { all, lessons, school, t }: NameSources): string | undefined {
  const person = school.student.get(id) ?? school.instructor.get(id)
  if (person) return nameOf(person)
  const known = lessons?.find((one) => one.id === id)
  if (known) return lessonText(known, school, t)
  const sides = all
    .filter(({ resource_id }) => resource_id === id)
    .flatMap(({ before, after }) => [after ?? {}, before ?? {}])
  const named = sides.find((side) => 'first_name' in side && 'last_name' in side)
  if (named) return nameOf(named as { first_name: string; last_name: string })
  const lesson = sides.find((side) => 'start_at' in side && 'end_at' in side && 'student_id' in side)
  return lesson && lessonText(lesson as Appointment, school, t)
}
