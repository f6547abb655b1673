import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Slot } from '../../contract/slot.ts'
import type { Warning } from '../../domain/warnings.ts'
import { whenWords } from '../lessons/lesson-words.ts'
import { warningWords } from '../lessons/warning-words.ts'
import { Icon } from '../ui/icon.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './finder.module.css'
import { slotIdOf } from './offered.ts'

type SlotListProps = {
  readonly slots: readonly Slot[]
  readonly chosen: string
  readonly onPick: (slot: Slot) => void
}

/** Free times, of which one is chosen: by arrow keys too, and Enter sends the form around them. */
export function SlotList({ slots, chosen, onPick }: SlotListProps) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <div className={css.slots} role="radiogroup" aria-label={t('find.times')}>
      {slots.map((slot) => {
        const id = slotIdOf(slot)
        return (
          <label key={id} className={css.slot}>
            <input type="radio" name={name} checked={id === chosen} onChange={() => onPick(slot)} />
            <Words slot={slot} />
          </label>
        )
      })}
    </div>
  )
}

function Words({ slot }: { slot: Slot }) {
  const school = useSchool()
  const { t } = useTranslation()
  const person = school.instructor.get(slot.instructor_id)
  return (
    <>
      <span className={css.when}>{whenWords(slot, school)}</span>
      <span className={css.who}>{person && nameOf(person)}</span>
      {slot.warnings.map((warning) => (
        <span key={warning.code} className={css.warning}>
          <Icon name="alert" size={14} />
          {warningWords(warning as Warning, slot, school, t)}
        </span>
      ))}
    </>
  )
}
