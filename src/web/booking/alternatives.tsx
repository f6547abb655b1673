import { useTranslation } from 'react-i18next'
import type { Slot } from '../../contract/slot.ts'
import { Button } from '../ui/button.tsx'
import { useSchool } from '../ui/school.tsx'
import css from './alternatives.module.css'
import { placeWords } from './place-words.ts'

type AlternativesProps = {
  readonly slots: readonly Slot[]
  /** Who was asked for, and need not be named. */
  readonly instructorId: string
  readonly onPick: (slot: Slot) => void
}

/** The nearest times instead of one that is refused. */
export function Alternatives({ slots, instructorId, onPick }: AlternativesProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (slots.length === 0) return null
  return (
    <div className={css.alternatives}>
      <p>{t('find.nearest')}</p>
      <div className={css.buttons}>
        {slots.map((slot) => (
          <Button key={`${slot.instructor_id} ${slot.start_at}`} onClick={() => onPick(slot)}>
            {placeWords(slot, instructorId, school)}
          </Button>
        ))}
      </div>
    </div>
  )
}
