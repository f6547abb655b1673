import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import css from './outcome-buttons.module.css'
import type { Mark, Outcome } from './use-outcomes.ts'

type OutcomeButtonsProps = {
  readonly lesson: Appointment
  readonly now: string
  readonly mark: Mark
  readonly look?: 'primary' | 'plain'
}

/** How the lesson went: asked from its start on, and taken back in the same place. */
export function OutcomeButtons({ lesson, now, mark, look = 'plain' }: OutcomeButtonsProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const { status, start_at } = lesson
  const say = (outcome: Outcome) => {
    void mark(lesson, outcome)
    // The button goes, and must not take the focus along.
    box.current?.focus()
  }
  if (status === 'cancelled') return null
  if (status !== 'planned') {
    return (
      <div className={css.outcome} tabIndex={-1} ref={box}>
        <span className={css.noted} data-status={status} role="status">
          <Icon name={status === 'completed' ? 'check' : 'alert'} /> {t(`lesson.${status}`)}
        </span>
        <Button className={css.button} onClick={() => say('planned')}>
          {t('lesson.markPlanned')}
        </Button>
      </div>
    )
  }
  if (start_at > now) return null
  return (
    <div className={css.outcome} tabIndex={-1} ref={box}>
      <Button className={css.button} look={look} icon="check" onClick={() => say('completed')}>
        {t('lesson.markCompleted')}
      </Button>
      <Button className={css.button} onClick={() => say('no_show')}>
        {t('lesson.markNoShow')}
      </Button>
    </div>
  )
}
