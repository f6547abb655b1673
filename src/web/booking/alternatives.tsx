import { useTranslation } from 'react-i18next'
import type { Slot } from '../../contract/slot.ts'
import { slotIdOf } from '../slots/offered.ts'
import { Button } from '../ui/button.tsx'
import layout from '../ui/layout.module.css'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './alternatives.module.css'
import { slotText } from './slot-text.ts'

type AlternativesProps = {
  /** The same time with other instructors. Nothing is shown while it is undefined, so that no button moves. */
  readonly same: readonly Slot[] | undefined
  /** The nearest times. */
  readonly nearest: readonly Slot[]
  /** The requested instructor. Their times are shown without a name. */
  readonly instructorId: string
  readonly onPick: (slot: Slot) => void
}

export function Alternatives({ same, nearest, instructorId, onPick }: AlternativesProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!same) return null
  const nameIn = ({ instructor_id }: Slot) => {
    const person = school.instructor.get(instructor_id)
    return person ? nameOf(person) : ''
  }
  const ids = new Set(same.map(slotIdOf))
  const others = nearest.filter((slot) => !ids.has(slotIdOf(slot)))
  return (
    <>
      <Offers title={t('slots.atSameTime')} slots={same} wordsOf={nameIn} onPick={onPick} />
      <Offers
        title={t('slots.nearest')}
        slots={others}
        wordsOf={(slot) => slotText(slot, instructorId, school)}
        onPick={onPick}
      />
    </>
  )
}

type OffersProps = Pick<AlternativesProps, 'onPick'> & {
  readonly title: string
  readonly slots: readonly Slot[]
  readonly wordsOf: (slot: Slot) => string
}

function Offers({ title, slots, wordsOf, onPick }: OffersProps) {
  if (slots.length === 0) return null
  return (
    <div className={css.alternatives}>
      <p>{title}</p>
      <div className={layout.buttons}>
        {slots.map((slot) => (
          <Button key={slotIdOf(slot)} onClick={() => onPick(slot)}>
            {wordsOf(slot)}
          </Button>
        ))}
      </div>
    </div>
  )
}
