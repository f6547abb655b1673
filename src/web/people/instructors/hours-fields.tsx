import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { isBounded } from '../../../domain/availability.ts'
import { mondayOf } from '../../../domain/local-time.ts'
import { MAX_WEEKS_IN_TURN } from '../../../domain/ranges.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { TimeField } from '../../ui/dialogs/time-field.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import { useSchool } from '../../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../../ui/weekday-name.ts'
import { CopyDay } from './copy-day.tsx'
import { isInTurns, isOf, undated, withPeriod } from './hours-periods.ts'
import css from './instructor-dialog.module.css'
import { NewHours, useHoursPeriod } from './new-hours.tsx'
import { WeekPainter } from './week-painter.tsx'

type HoursFieldsProps = {
  readonly legend: string
  /** Whether hours may begin or end on a date. */
  readonly hasDates?: boolean
  readonly windows: readonly AvailabilityWindow[]
  readonly onChange: (windows: readonly AvailabilityWindow[]) => void
}

const USUAL: AvailabilityWindow = { weekday: 1, start: '08:00', end: '17:00' }

/** The end of a day in a time field, which has no 24:00. */
const MIDNIGHT = '00:00'

export function HoursFields({ legend, hasDates = false, windows, onChange }: HoursFieldsProps) {
  const { t } = useTranslation()
  const { keyOf, edited } = useRowKeys<AvailabilityWindow>()
  const { period, ...chosen } = useHoursPeriod(windows)
  const painted = period ? undated(windows, period) : windows
  const paint = (hours: readonly AvailabilityWindow[]) =>
    onChange(period ? withPeriod(windows, period, hours) : hours)
  return (
    <FieldGroup title={legend} hint={t('instructor.hoursHint')}>
      {windows.length === 0 && (
        <Notice kind="open" title={t('instructor.alwaysTitle')}>
          {t('instructor.alwaysHint')}
        </Notice>
      )}
      {hasDates && windows.length > 0 && (
        <NewHours windows={windows} period={period} {...chosen} onChange={onChange} />
      )}
      <WeekPainter windows={painted} onChange={paint} />
      <CopyDay windows={painted} onChange={paint} />
      <ul className={`${css.rows} ${css.hours}`}>
        {windows
          .filter((window) => !period || isOf(period, window) || isInTurns(window))
          .map((window) => (
            <WindowRow
              key={keyOf(window)}
              window={window}
              hasDates={hasDates && (!period || isInTurns(window))}
              onChange={(part) => onChange(windows.map((one) => (one === window ? edited(one, part) : one)))}
              onRemove={() => onChange(windows.filter((one) => one !== window))}
            />
          ))}
      </ul>
      <Button onClick={() => onChange([...windows, { ...USUAL, ...period }])}>
        {t('instructor.addWindow')}
      </Button>
    </FieldGroup>
  )
}

let latestKey = 0

/** Returns the keys of rows, which may be equal. A row keeps its key while it is edited, and so its state when another is removed. */
function useRowKeys<Row extends object>() {
  const keys = useRef(new WeakMap<Row, number>()).current
  const keyOf = (row: Row): number => {
    const key = keys.get(row) ?? ++latestKey
    keys.set(row, key)
    return key
  }
  const edited = (row: Row, part: Partial<Row>): Row => {
    const next = { ...row, ...part }
    keys.set(next, keyOf(row))
    return next
  }
  return { keyOf, edited }
}

type WindowRowProps = {
  readonly window: AvailabilityWindow
  readonly hasDates: boolean
  readonly onChange: (part: Partial<AvailabilityWindow>) => void
  readonly onRemove: () => void
}

function WindowRow({ window, hasDates, onChange, onRemove }: WindowRowProps) {
  const { weekday, start, end } = window
  const { format } = useSchool()
  const { t } = useTranslation()
  const [isDated, setDated] = useState(isBounded(window))
  const named = { day: weekdayName(weekday, format), from: start, to: end }
  return (
    <li data-dated={hasDates || undefined}>
      <OptionSelect
        label={t('instructor.weekday')}
        value={String(weekday)}
        options={WEEKDAYS.map((day) => [String(day), weekdayName(day, format)])}
        onChange={(day) => onChange({ weekday: Number(day) })}
      />
      <TimeField
        label={t('instructor.from')}
        isLabelHidden
        step={15}
        value={start}
        onChange={(from) => onChange({ start: from })}
      />
      <TimeField
        label={t('instructor.to')}
        isLabelHidden
        step={15}
        value={end === '24:00' ? MIDNIGHT : end}
        onChange={(to) => onChange({ end: endOf(to) })}
      />
      {hasDates && (
        <Button
          look="bare"
          icon="calendar"
          aria-label={t('instructor.dates', named)}
          title={t('instructor.datesTitle')}
          aria-expanded={isDated}
          onClick={() => setDated(!isDated)}
        />
      )}
      <RemoveButton label={t('instructor.removeWindow', named)} onClick={onRemove} />
      {hasDates && isDated && <WindowDates window={window} onChange={onChange} />}
    </li>
  )
}

/** The first and the last day on which hours are worked, either of which may be left out, and in which weeks. */
function WindowDates({
  window: { valid_from, valid_to, every_weeks = 1 },
  onChange,
}: Omit<WindowRowProps, 'hasDates' | 'onRemove'>) {
  const { t } = useTranslation()
  const { tenant } = useSchool()
  const chooseTurn = (every_weeks: number) => {
    const from = valid_from || mondayOf(localToday(new Date(), tenant.timezone))
    onChange(every_weeks > 1 ? { every_weeks, valid_from: from } : { every_weeks })
  }
  return (
    <div className={css.dates}>
      <DateField
        label={t('instructor.validFrom')}
        isOptional
        value={valid_from ?? ''}
        onChange={(date) => onChange({ valid_from: date || null })}
      />
      <DateField
        label={t('instructor.validTo')}
        isOptional
        value={valid_to ?? ''}
        min={valid_from || undefined}
        onChange={(date) => onChange({ valid_to: date || null })}
      />
      <OptionSelect
        label={t('instructor.weeks')}
        value={String(every_weeks)}
        options={TURNS.map((count) => [String(count), t('instructor.everyWeeks', { count })] as const)}
        onChange={(weeks) => chooseTurn(Number(weeks))}
      />
    </div>
  )
}

const TURNS = Array.from({ length: MAX_WEEKS_IN_TURN }, (_, index) => index + 1)

function endOf(text: string): string {
  return text === MIDNIGHT ? '24:00' : text
}
