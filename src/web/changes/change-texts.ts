import type { TFunction } from 'i18next'
import type { Change } from '../../contract/change.ts'
import { type Difference, differencesOf } from '../ui/differences.tsx'
import { fieldText } from '../ui/field-texts.ts'
import type { School } from '../ui/school.tsx'

/** Returns a text such as "Lesson booked". */
export function actionText({ resource, action }: Change, t: TFunction): string {
  const happened = resource === 'appointment' && action === 'created' ? 'booked' : action
  // The history on a lesson's card does not need the texts of other kinds.
  const thing = resource === 'appointment' ? t('changes.appointment') : t(`kinds.${resource}`)
  return t('changes.what', { thing, action: t(`changes.${happened}`) })
}

export function actorText({ actor: { kind, name } }: Change, t: TFunction): string {
  if (kind === 'command') return t('changes.command', { name })
  if (kind === 'student') return t('changes.byStudent', { name })
  return kind === 'system' ? t('changes.system') : name
}

const EMPTY = '–'

/** Returns the changed fields as texts: all of a new resource, none of a deletion or restoration. */
export function changedText(change: Change, school: School, t: TFunction): readonly Difference[] {
  const { resource, action, before, after } = change
  const textsOf = (side: Change['before']) => fieldText(resource, side ?? {}, school, t)
  if (action === 'changed') return differencesOf(textsOf(before), textsOf(after))
  if (action !== 'created') return []
  return differencesOf([], textsOf(after)).filter(({ added }) => added.join() !== EMPTY)
}

/** Whether an erasure has removed the values of the change. */
export function isScrubbed({ action, before, after }: Change): boolean {
  return before === null && after === null && action !== 'erased'
}

/** Whether a lesson was changed together with its student; `all` may contain the student's change. */
export function isWithStudent(change: Change, all: readonly Change[]): boolean {
  if (change.resource !== 'appointment') return false
  return all.some(
    ({ resource, set_id, action }) =>
      resource === 'student' && set_id === change.set_id && action !== 'changed' && action !== 'created',
  )
}
