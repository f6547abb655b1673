import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import css from './outcome-buttons.module.css'
import type { Mark } from './use-outcomes.ts'

type OutcomeButtonsProps = {
  readonly lesson: Appointment
  readonly now: string
  readonly mark: Mark
  readonly look?: 'primary' | 'plain'
}

/** How the lesson went: asked from its start on, and taken back in the same place. */
export function OutcomeButtons({ lesson, now, mark, look = 'plain' }: OutcomeButtonsProps) {
  const { t } = useTranslation()
  const { status, start_at } = lesson
  if (status === 'cancelled') return null
  if (status !== 'planned') {
    return (
      <div className={css.outcome}>
        <span className={css.noted} data-status={status} role="status">
          <Icon name={status === 'completed' ? 'check' : 'alert'} /> {t(`lesson.${status}`)}
        </span>
        <Button className={css.button} onClick={() => mark(lesson, 'planned')}>
          {t('lesson.markPlanned')}
        </Button>
      </div>
    )
  }
  if (start_at > now) return null
  return (
    <div className={css.outcome}>
      <Button className={css.button} look={look} icon="check" onClick={() => mark(lesson, 'completed')}>
        {t('lesson.markCompleted')}
      </Button>
      <Button className={css.button} onClick={() => mark(lesson, 'no_show')}>
        {t('lesson.markNoShow')}
      </Button>
    </div>
  )
}
