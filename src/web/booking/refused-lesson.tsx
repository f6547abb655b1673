import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { RefusedLesson as Refused } from '../../contract/series.ts'
import type { Slot } from '../../contract/slot.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { slotIdOf } from '../slots/offered.ts'
import { Button } from '../ui/button.tsx'
import { refusalsIn } from '../ui/problem-messages.ts'
import { type School, useSchool } from '../ui/school.tsx'
import { Reasons } from './reasons.tsx'
import css from './series-preview.module.css'
import { slotText } from './slot-text.ts'

type RefusedLessonProps = {
  readonly refused: Refused
  /** The first lesson of the series. */
  readonly draft: LessonDraft
  /** The time to book instead; undefined to leave it out. */
  readonly taken: Slot | undefined
  readonly onTake: (slot: Slot | undefined) => void
}

/** A refused lesson of a series: its reasons and alternatives. */
export function RefusedLesson({ refused, draft, taken, onTake }: RefusedLessonProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const id = useId()
  const look = (isChosen: boolean) =>
    ({ look: isChosen ? 'chosen' : 'plain', 'aria-pressed': isChosen }) as const
  return (
    <li>
      <strong id={id}>{whenText(refused, school)}</strong>
      <Reasons reasons={reasonsOf(refused, draft, school, t)} />
      <fieldset className={css.choices} aria-labelledby={id}>
        {refused.alternatives.map((slot) => (
          <Button
            key={slotIdOf(slot)}
            {...look(taken !== undefined && slotIdOf(taken) === slotIdOf(slot))}
            onClick={() => onTake(slot)}
          >
            {slotText(slot, draft.instructor_id, school)}
          </Button>
        ))}
        <Button {...look(taken === undefined)} onClick={() => onTake(undefined)}>
          {t('series.leaveOut')}
        </Button>
      </fieldset>
    </li>
  )
}

/** Returns why a lesson of a series is refused. */
export function reasonsOf(
  { refusals }: Pick<Refused, 'refusals'>,
  draft: Pick<LessonDraft, 'instructor_id' | 'student_id'>,
  school: School,
  t: TFunction,
): readonly string[] {
  if (refusals.some(({ code }) => code === 'skipped_time')) return [t('booking.missing.skipped_time')]
  const about = { ...draft, appointments: [] }
  return refusalsIn(refusals).map((refusal) => refusalMessage(refusal, about, school, t))
}
