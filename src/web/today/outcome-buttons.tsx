import { type ComponentProps, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { doubtfulTimesOf, withoutTimes } from '../lessons/done.ts'
import { LengthQuestion } from '../lessons/length-question.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { canStart, done, type Outcome, type RecordOutcome, started } from './outcome.ts'
import css from './outcome-buttons.module.css'
import { SignLesson } from './sign-lesson.tsx'

type OutcomeButtonsProps = {
  readonly lesson: Appointment
  readonly now: string
  readonly mark: RecordOutcome
  /** `primary` for the enlarged lesson, which can also be started. */
  readonly look?: 'primary' | 'plain'
}

/** The buttons for a lesson's outcome, from shortly before its start, with undo in the same place. */
export function OutcomeButtons({ lesson, now, mark, look = 'plain' }: OutcomeButtonsProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const { status, start_at, actual_start_at } = lesson
  const [isAsking, setAsking] = useState(false)
  const say = (outcome: Outcome) => {
    setAsking(false)
    void mark(lesson, outcome)
    // Keeps the focus when the button disappears.
    box.current?.focus()
  }
  if (status === 'cancelled') return null
  if (status !== 'planned') {
    return (
      <div className={css.outcome} tabIndex={-1} ref={box}>
        <span className={css.noted} data-status={status} role="status">
          <Icon name={status === 'completed' ? 'check' : 'alert'} /> {t(`lesson.${status}`)}
        </span>
        <Tap onClick={() => say(withoutTimes(lesson, 'planned'))}>
          {t(status === 'completed' ? 'today.undoDone' : 'lesson.markPlanned')}
        </Tap>
        {status === 'completed' && <SignLesson lesson={lesson} isLarge={look === 'primary'} />}
      </div>
    )
  }
  const isStartable = look === 'primary' && canStart(lesson, now)
  const hasBegun = start_at <= now || actual_start_at !== null
  if (!isStartable && !hasBegun) return null
  const outcome = done(lesson, now)
  const doubtful = doubtfulTimesOf({ ...lesson, ...outcome }, now)
  return (
    <div className={css.outcome} tabIndex={-1} ref={box}>
      {isAsking && doubtful && (
        <LengthQuestion {...{ lesson }} times={doubtful} onAnswer={say} onClose={() => setAsking(false)} />
      )}
      {isStartable && (
        <Tap className={css.start} look={look} icon="clock" onClick={() => say(started(lesson, now))}>
          {t('today.start')}
        </Tap>
      )}
      {hasBegun && (
        <>
          <Tap
            look={isStartable ? 'plain' : look}
            icon="check"
            onClick={() => (doubtful ? setAsking(true) : say(outcome))}
          >
            {t('lesson.markCompleted')}
          </Tap>
          <Tap onClick={() => say(withoutTimes(lesson, 'no_show'))}>{t('lesson.markNoShow')}</Tap>
        </>
      )}
    </div>
  )
}

/** A button that ignores the second tap of a double tap: it may be that of another lesson, or undo the first. */
function Tap(props: ComponentProps<typeof Button>) {
  return <Button className={css.button} isBusy={false} {...props} />
}
