import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Availability, NewAvailability } from '../../../contract/availability.ts'
import type { Student } from '../../../contract/student.ts'
import { type AvailableTime, DAYS_OF_WEEK, isLongEnough } from '../../../domain/available-times.ts'
import { daysLater, type LocalDate, type TimeOfDay } from '../../../domain/local-time.ts'
import { APPOINTMENT_MINUTES, LESSONS_A_WEEK } from '../../../domain/ranges.ts'
import { type NamedWeek, writeWeek } from '../../data/weeks.ts'
import { isChanged } from '../../ui/changed-fields.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TimeField } from '../../ui/dialogs/time-field.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import layout from '../../ui/layout.module.css'
import { useSchool } from '../../ui/school.tsx'
import css from './weeks.module.css'

type WeekDialogProps = {
  readonly named: NamedWeek
  readonly student: Student
  readonly answer: Availability | null
  readonly onClose: () => void
}

/** A day with the hours in which the student can come; both empty if not at all. */
type DayRow = {
  readonly date: LocalDate
  readonly from: TimeOfDay | ''
  readonly to: TimeOfDay | ''
  readonly minutes: number
}

const USUAL_MINUTES = 90
/** The end of a day in a time field, which has no 24:00. */
const MIDNIGHT = '00:00'

/** Enters when a student can come in a week: hours of each day; without any, those of the wishes. */
export function WeekDialog({ named, student, answer, onClose }: WeekDialogProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const [opened] = useState(() => formOf(named.week, student, answer))
  const [form, setForm] = useState(opened)
  const { mutate, error, isPending } = useMutation({ mutationFn: writeWeek, onSuccess: onClose })
  const { lessons, minutes, rows } = form
  const edit = (at: number, part: Partial<DayRow>) =>
    setForm({ ...form, rows: rows.map((row, place) => (place === at ? { ...row, ...part } : row)) })
  const save = () => {
    if (lessons === '' || minutes === '') return
    mutate({ ...named, answer: answerOf(lessons, rows) })
  }
  const days = format.days(named.week, daysLater(named.week, 6))
  return (
    <FormDialog
      title={t('week.of', { days })}
      submit={t('action.save')}
      size="lg"
      isBusy={isPending}
      isBlocked={lessons === '' || minutes === '' || !rows.map(timeOfRow).every(isLongEnough)}
      isFilled={isChanged(form, opened)}
      onSubmit={save}
      onClose={onClose}
    >
      <div className={layout.pair}>
        <NumberField
          label={t('week.count')}
          description={t('week.countHint')}
          {...LESSONS_A_WEEK}
          value={lessons}
          onChange={(count) => setForm({ ...form, lessons: count })}
        />
        <NumberField
          label={t('wish.minutes')}
          {...APPOINTMENT_MINUTES}
          value={minutes}
          onChange={(length) =>
            setForm({
              ...form,
              minutes: length,
              rows: length === '' ? rows : rows.map((row) => ({ ...row, minutes: length })),
            })
          }
        />
      </div>
      <FieldGroup title={t('week.times')} hint={t('week.timesHint')}>
        <div className={css.head} aria-hidden="true">
          <span>{t('wish.from')}</span>
          <span>{t('wish.to')}</span>
        </div>
        <ul className={css.days}>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows neither move nor go
            <li key={at}>
              <span>{format.day(row.date)}</span>
              <TimeField
                label={t('week.from', { day: format.weekday(row.date) })}
                isLabelHidden
                step={15}
                value={row.from}
                onChange={(time) => edit(at, { from: time })}
              />
              <TimeField
                label={t('week.to', { day: format.weekday(row.date) })}
                isLabelHidden
                step={15}
                error={!isLongEnough(timeOfRow(row)) && t('week.tooShort', { minutes: row.minutes })}
                value={row.to}
                onChange={(time) => edit(at, { to: time })}
              />
            </li>
          ))}
        </ul>
      </FieldGroup>
      <FailureNotice error={error} title={t('booking.notSaved')} />
    </FormDialog>
  )
}

type WeekForm = {
  readonly lessons: number | ''
  readonly minutes: number | ''
  readonly rows: readonly DayRow[]
}

function formOf(week: LocalDate, student: Student, answer: Availability | null): WeekForm {
  const windows = answer?.windows ?? []
  const minutes = windows[0]?.minutes ?? USUAL_MINUTES
  const rows = DAYS_OF_WEEK.flatMap((days): readonly DayRow[] => {
    const date = daysLater(week, days)
    const ofDay = windows.filter((window) => window.date === date)
    return ofDay.length > 0 ? ofDay.map(rowOf) : [{ date, from: '', to: '', minutes }]
  })
  return { lessons: answer?.lessons ?? student.lessons_per_week ?? 1, minutes, rows }
}

function rowOf({ date, time_from, time_to, minutes }: AvailableTime): DayRow {
  return { date, from: time_from, to: time_to === '24:00' ? MIDNIGHT : time_to, minutes }
}

/** Returns the hours of a row. One time is enough: the other is the day's beginning or end. */
function timeOfRow({ date, from, to, minutes }: DayRow): AvailableTime {
  return { date, time_from: from || MIDNIGHT, time_to: to === '' || to === MIDNIGHT ? '24:00' : to, minutes }
}

function answerOf(lessons: number, rows: readonly DayRow[]): NewAvailability {
  const windows = rows.filter(({ from, to }) => from !== '' || to !== '').map(timeOfRow)
  if (windows.length > 0) return { lessons, windows }
  return { lessons, windows: lessons === 0 ? [] : null }
}
