import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { type ActualTimes, withoutTimes } from './done.ts'
import css from './length-question.module.css'

type LengthQuestionProps = {
  readonly lesson: Appointment
  /** The times that need a confirmation. */
  readonly times: ActualTimes
  readonly onAnswer: (change: ReturnType<typeof withoutTimes<'completed'>>) => void
  readonly onClose: () => void
}

/** Asks how long a lesson took that is marked as done long before, or long after, its planned length has passed. */
export function LengthQuestion({ lesson, times, onAnswer, onClose }: LengthQuestionProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => box.current?.focus(), [])
  const { start_at, end_at } = lesson
  const { actual_start_at, actual_end_at } = times
  return (
    <fieldset className={css.question} tabIndex={-1} ref={box} aria-label={t('length.title')}>
      <Notice kind="warn" title={t('length.title')} isAnswer>
        {t('length.text', {
          planned: minutesBetween(start_at, end_at),
          count: minutesBetween(actual_start_at, actual_end_at),
        })}
      </Notice>
      <Button
        className={css.button}
        isBusy={false}
        onClick={() => onAnswer({ status: 'completed', ...times })}
      >
        {t('length.actual', { times: timesText(actual_start_at, actual_end_at) })}
      </Button>
      <Button
        className={css.button}
        isBusy={false}
        onClick={() => onAnswer(withoutTimes(lesson, 'completed'))}
      >
        {t('length.planned', { times: timesText(start_at, end_at) })}
      </Button>
      <Button className={css.button} isBusy={false} onClick={onClose}>
        {t('action.cancel')}
      </Button>
    </fieldset>
  )
}

function timesText(start: LocalDateTime, end: LocalDateTime): string {
  return `${timeOf(start)}–${timeOf(end)}`
}

function minutesBetween(start_at: LocalDateTime, end_at: LocalDateTime): number {
  return minutesOf(intervalOf({ start_at, end_at }))
}
