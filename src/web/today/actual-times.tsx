import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { minutesOf } from '../../domain/interval.ts'
import { timeOf } from '../../domain/local-time.ts'
import { actualIntervalOf } from '../../domain/worked.ts'
import { Button } from '../ui/button.tsx'
import field from '../ui/field.module.css'
import css from './actual-times.module.css'
import { correctedTo, type Mark, timesOf } from './noted.ts'

type ActualTimesProps = { readonly lesson: Appointment; readonly mark: Mark }

/** When the lesson really began and ended, to be corrected to the minute; once it has begun or is done. */
export function ActualTimes({ lesson, mark }: ActualTimesProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { status, actual_start_at, actual_end_at } = lesson
  const isKnown = actual_start_at !== null && actual_end_at !== null
  if (!isKnown && status !== 'completed') return null
  if (isOpen) return <Correction {...{ lesson, mark }} onClose={() => setOpen(false)} />
  return (
    <div className={css.line}>
      {isKnown && (
        <span>
          {status === 'planned'
            ? t('today.begun', { start: timeOf(actual_start_at), end: timeOf(actual_end_at) })
            : `${t('lesson.actual')} ${timeOf(actual_start_at)}–${timeOf(actual_end_at)}`}{' '}
          <span className={css.dimmed}>
            {t('lesson.minutes', { count: minutesOf(actualIntervalOf(lesson)) })}
          </span>
        </span>
      )}
      <Button className={css.button} onClick={() => setOpen(true)}>
        {t('today.correct')}
      </Button>
    </div>
  )
}

function Correction({ lesson, mark, onClose }: ActualTimesProps & { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [times, setTimes] = useState(() => timesOf(lesson))
  const isComplete = times.start !== '' && times.end !== '' && times.start !== times.end
  const input = (name: 'start' | 'end', label: string) => (
    <label>
      {label}
      <input
        type="time"
        className={field.field}
        required
        value={times[name]}
        onChange={({ target }) => setTimes((before) => ({ ...before, [name]: target.value }))}
      />
    </label>
  )
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void mark(lesson, correctedTo(lesson, times))
        onClose()
      }}
    >
      {input('start', t('lesson.actualStart'))}
      {input('end', t('lesson.actualEnd'))}
      <Button className={css.button} look="primary" type="submit" disabled={!isComplete}>
        {t('action.save')}
      </Button>
      <Button className={css.button} onClick={onClose}>
        {t('action.cancel')}
      </Button>
    </form>
  )
}
