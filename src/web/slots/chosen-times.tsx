import { useTranslation } from 'react-i18next'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { MAX_LESSONS_OF_A_BATCH } from '../../domain/ranges.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { RemoveButton } from '../ui/remove-button.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './chosen-times.module.css'
import { slotIdOf } from './offered.ts'

export type ChosenTime = {
  readonly instructor_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}

type ChosenTimesProps = {
  readonly times: readonly ChosenTime[]
  /** The time that the service has refused. */
  readonly refused: ChosenTime | undefined
  readonly onRemove: (time: ChosenTime) => void
}

/** All chosen times, including those that the search no longer lists. */
export function ChosenTimes({ times, refused, onRemove }: ChosenTimesProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const most = MAX_LESSONS_OF_A_BATCH
  const title = t(times.length > most ? 'slots.tooMany' : 'slots.chosen', { count: times.length, most })
  return (
    <section className={css.chosen} aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {times.map((time) => {
          const person = school.instructor.get(time.instructor_id)
          return (
            <li key={slotIdOf(time)} data-refused={time === refused || undefined}>
              <span>{whenText(time, school)}</span>
              <span className={css.who}>{person && nameOf(person)}</span>
              {times.length > 1 && (
                <RemoveButton
                  label={t('slots.remove', { when: whenText(time, school) })}
                  onClick={() => onRemove(time)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
