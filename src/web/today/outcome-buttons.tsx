import { type ComponentProps, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { canStart, done, type Outcome, type RecordOutcome, started, untaughtOutcome } from './outcome.ts'
import css from './outcome-buttons.module.css'

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
  const say = (outcome: Outcome) => {
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
        <Tap onClick={() => say(untaughtOutcome(lesson, 'planned'))}>{t('lesson.markPlanned')}</Tap>
      </div>
    )
  }
  const isStartable = look === 'primary' && canStart(lesson, now)
  const hasBegun = start_at <= now || actual_start_at !== null
  if (!isStartable && !hasBegun) return null
  return (
    <div className={css.outcome} tabIndex={-1} ref={box}>
      {isStartable && (
        <Tap className={css.start} look={look} icon="clock" onClick={() => say(started(lesson, now))}>
          {t('today.start')}
        </Tap>
      )}
      {hasBegun && (
        <>
          <Tap look={isStartable ? 'plain' : look} icon="check" onClick={() => say(done(lesson, now))}>
            {t('lesson.markCompleted')}
          </Tap>
          <Tap onClick={() => say(untaughtOutcome(lesson, 'no_show'))}>{t('lesson.markNoShow')}</Tap>
        </>
      )}
    </div>
  )
}

/** A button that ignores the second tap of a double tap: it may be that of another lesson, or undo the first. */
function Tap(props: ComponentProps<typeof Button>) {
  return <Button className={css.button} isBusy={false} {...props} />
}
