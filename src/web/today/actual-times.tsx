import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { minutesOf } from '../../domain/interval.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { actualIntervalOf, isDoubtful } from '../../domain/worked.ts'
import { Button } from '../ui/button.tsx'
import field from '../ui/field.module.css'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import css from './actual-times.module.css'
import { type CorrectedTimes, corrections, discardTimes, typeTimes } from './corrections.ts'
import { actualTimes, correctedTo, type RecordOutcome } from './outcome.ts'

type ActualTimesProps = { readonly lesson: Appointment; readonly mark: RecordOutcome }

/** The actual times of a lesson, editable once it has begun or is done. */
export function ActualTimes({ lesson, mark }: ActualTimesProps) {
  const { t } = useTranslation()
  const typed = corrections.use().get(lesson.id)
  const [isOpen, setOpen] = useState(false)
  if (typed && !isOpen) setOpen(true)
  const { status, actual_start_at, actual_end_at } = lesson
  const isKnown = actual_start_at !== null && actual_end_at !== null
  if (!isKnown && status !== 'completed') return null
  const close = () => {
    discardTimes(lesson)
    setOpen(false)
  }
  if (isOpen) return <Correction {...{ lesson, mark, typed }} onClose={close} />
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

type CorrectionProps = ActualTimesProps & {
  readonly typed: CorrectedTimes | undefined
  readonly onClose: () => void
}

function Correction({ lesson, mark, typed, onClose }: CorrectionProps) {
  const { t } = useTranslation()
  const times = typed ?? actualTimes(lesson)
  const [isPressed, setPressed] = useState(false)
  const isComplete = times.start !== '' && times.end !== ''
  const found = isPressed && isComplete ? doubtOf(lesson, times) : undefined
  const input = (name: 'start' | 'end', label: string) => (
    <label>
      {label}
      <input
        type="time"
        className={field.field}
        required
        value={times[name]}
        onChange={({ target }) => {
          setPressed(false)
          typeTimes(lesson, { ...times, [name]: target.value })
        }}
      />
    </label>
  )
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        setPressed(true)
        const doubt = doubtOf(lesson, times)
        if (doubt === 'wrong_order' || (doubt && !isPressed)) return
        void mark(lesson, correctedTo(lesson, times))
        onClose()
      }}
    >
      {input('start', t('field.actual_start_at'))}
      {input('end', t('field.actual_end_at'))}
      {found && <Doubt {...{ found, lesson, times }} />}
      <Button
        className={css.button}
        look="primary"
        type="submit"
        disabled={!isComplete || found === 'wrong_order'}
        // The second tap of a double tap must not confirm.
        onClick={(event) => found && event.detail > 1 && event.preventDefault()}
      >
        {t(found === 'unlikely' ? 'today.saveUnlikely' : 'action.save')}
      </Button>
      <Button className={css.button} onClick={onClose}>
        {t('action.cancel')}
      </Button>
    </form>
  )
}

type DoubtKind = 'wrong_order' | 'unlikely'

/** Returns why the times are refused, or need a confirmation. */
function doubtOf(lesson: Appointment, times: CorrectedTimes): DoubtKind | undefined {
  const actual = correctedTo(lesson, times)
  if (actual.actual_end_at <= actual.actual_start_at) return 'wrong_order'
  return isDoubtful({ ...lesson, ...actual }) ? 'unlikely' : undefined
}

type DoubtProps = {
  readonly found: DoubtKind
  readonly lesson: Appointment
  readonly times: CorrectedTimes
}

function Doubt({ found, lesson, times }: DoubtProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const actual = correctedTo(lesson, times)
  const date = dateOf(actual.actual_start_at)
  const day = date === dateOf(lesson.start_at) ? '' : `${format.day(date)}, `
  return (
    <div className={css.doubt}>
      {found === 'wrong_order' ? (
        <Notice kind="bad" isAnswer>
          {t('booking.missing.wrong_order')}
        </Notice>
      ) : (
        <Notice kind="warn" isAnswer>
          {t('today.unlikely', {
            planned: `${timeOf(lesson.start_at)}–${timeOf(lesson.end_at)}`,
            actual: `${day}${times.start}–${times.end}`,
            count: minutesOf(actualIntervalOf({ ...lesson, ...actual })),
          })}
        </Notice>
      )}
    </div>
  )
}
