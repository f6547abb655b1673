import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Change } from '../../contract/change.ts'
import type { SetUndo } from '../../contract/undo.ts'
import { APPOINTMENTS } from '../data/appointments.ts'
import { copiesOf } from '../data/people.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import { fieldLabels } from '../ui/field-texts.ts'
import { refusalsIn } from '../ui/problem-messages.ts'
import { nameOf, type School, studentName } from '../ui/school.tsx'
import { isScrubbed } from './change-texts.ts'

/** The maximum number of names in a message. */
const MAX_NAMED = 3

const UNDOABLE: ReadonlySet<string> = new Set(['appointment', 'student', 'instructor', 'tenant'])
const REASONS = ['changed_since', 'in_use', 'student_signed', 'erased', 'not_found', 'not_undoable'] as const

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
  return ofSet.some((one) => UNDOABLE.has(one.resource) && !isScrubbed(one) && isLeft(one, all))
}

/** Whether a change is the newest of its resource, or has a field that no newer one has changed. */
function isLeft({ resource, resource_id, set_id, action, after }: Change, all: readonly Change[]): boolean {
  const ofOne = all.filter((one) => one.resource === resource && one.resource_id === resource_id)
  const newer = ofOne.slice(
    0,
    ofOne.findIndex((one) => one.set_id === set_id),
  )
  if (newer.length === 0) return true
  if (action !== 'changed' || newer.some((one) => one.action !== 'changed')) return false
  const changed = new Set(newer.flatMap((one) => Object.keys(one.after ?? {})))
  return Object.keys(after ?? {}).some((name) => !changed.has(name))
}

/** The changes and rows that names are taken from, beside the cached copies. */
export type NameSources = {
  readonly client: QueryClient
  readonly all: readonly Change[]
  /** Lessons as the undo would make them. */
  readonly lessons?: readonly Appointment[]
  readonly school: School
  readonly t: TFunction
}

/** Returns a text such as "Ben Kurz has been changed since. One more stays as it is." */
export function staysText({ undone, refused }: Omit<SetUndo, 'set_id'>, known: NameSources): string {
  const { t } = known
  const isOnly = undone.length === 0 && refused.length === 1
  const sentences = refused.slice(0, MAX_NAMED).map((one) => {
    const { resource, resource_id, code, fields = [] } = one
    const reason = REASONS.find((one) => one === code) ?? 'rule'
    const what = nameFor(resource_id, known) ?? t(`kinds.${resource}`)
    const why = ruleText(one, known)
    if (why !== undefined) return isOnly ? why : t('setUndo.broken', { what, why })
    const labels = fieldLabels(resource, fields, t)
    if (labels.length === 0) return t(`setUndo.${reason}`, { what })
    const isPartly = undone.includes(resource_id)
    return t(isPartly ? 'setUndo.fields' : 'setUndo.changedFields', { what, fields: labels.join(', ') })
  })
  const count = refused.length - sentences.length
  return [...sentences, ...(count > 0 ? [t('setUndo.more', { count })] : [])].join(' ')
}

/** Returns a text such as "12 of 13 changes undone. Ben Kurz has been changed since." */
export function outcomeText(answer: SetUndo, known: NameSources): string {
  const done = answer.undone.length
  const count = new Set([...answer.undone, ...answer.refused.map(({ resource_id }) => resource_id)]).size
  return `${known.t('setUndo.partly', { done, count })} ${staysText(answer, known)}`
}

/** Returns the explanation of a rule that a lesson would break, if the lesson is known as it would be. */
function ruleText(
  { resource_id, code, params }: SetUndo['refused'][number],
  { client, lessons, school, t }: NameSources,
): string | undefined {
  const [refusal] = params ? refusalsIn([{ code, params }]) : []
  const wanted = lessons?.find(({ id }) => id === resource_id)
  if (!refusal || !wanted) return undefined
  const rival = 'appointment_id' in refusal.params && refusal.params.appointment_id
  const appointments = (rival && APPOINTMENTS.read(client, rival)) || []
  return refusalMessage(refusal, { ...wanted, appointments: [appointments].flat() }, school, t)
}

/** Returns the current name of a person or lesson, or else the one in the changes. */
function nameFor(id: string, { client, all, lessons, school, t }: NameSources): string | undefined {
  const student = school.student.get(id)
  if (student) return studentName(student, school)
  // The school may have been read before the person was added.
  const person = copiesOf('students').read(client, id) ?? copiesOf('instructors').read(client, id)
  if (person) return nameOf(person)
  const known = APPOINTMENTS.read(client, id) ?? lessons?.find((one) => one.id === id)
  if (known) return lessonText(known, school, t)
  const sides = all
    .filter(({ resource_id }) => resource_id === id)
    .flatMap(({ before, after }) => [after ?? {}, before ?? {}])
  const named = sides.find((side) => 'first_name' in side && 'last_name' in side)
  if (named) return nameOf(named as { first_name: string; last_name: string })
  const lesson = sides.find((side) => 'start_at' in side && 'end_at' in side && 'student_id' in side)
  return lesson && lessonText(lesson as Appointment, school, t)
}
