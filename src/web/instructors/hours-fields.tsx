import { Button } from '@mantine/core'
import { TimePicker } from '@mantine/dates'
import { useTranslation } from 'react-i18next'
import type { AvailabilityWindow } from '../../domain/agenda.ts'
import { Icon } from '../ui/icon.tsx'
import { useSchool } from '../ui/school.tsx'
import { weekdayName } from '../ui/weekday-name.ts'
import css from './instructor-dialog.module.css'
import { WEEKDAYS } from './week-paint.ts'
import { WeekPainter } from './week-painter.tsx'

type HoursFieldsProps = {
  readonly windows: readonly AvailabilityWindow[]
  readonly onChange: (windows: readonly AvailabilityWindow[]) => void
}

const USUAL: AvailabilityWindow = { weekday: 1, start: '08:00', end: '17:00' }

/** A field for times knows no 24:00: as an end, midnight is that of the next day. */
const MIDNIGHT = '00:00'

/** Working hours, painted or filled in. */
export function HoursFields({ windows, onChange }: HoursFieldsProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const change = (index: number, part: Partial<AvailabilityWindow>) =>
    onChange(windows.map((window, at) => (at === index ? { ...window, ...part } : window)))
  return (
    <fieldset className={css.group}>
      <legend>{t('instructor.hours')}</legend>
      <p className={css.hint}>{t('instructor.hoursHint')}</p>
      <WeekPainter windows={windows} onChange={onChange} />
      <ul className={`${css.rows} ${css.hours}`}>
        {windows.map((window, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two windows may be equal while they are filled in
          <li key={index}>
            <select
              aria-label={t('instructor.weekday')}
              value={window.weekday}
              onChange={({ target }) => change(index, { weekday: Number(target.value) })}
            >
              {WEEKDAYS.map((weekday) => (
                <option key={weekday} value={weekday}>
                  {weekdayName(weekday, format)}
                </option>
              ))}
            </select>
            <TimePicker
              aria-label={t('instructor.from')}
              hoursInputLabel={t('instructor.from')}
              minutesStep={15}
              value={window.start}
              onChange={(start) => change(index, { start: start.slice(0, 5) })}
            />
            <TimePicker
              aria-label={t('instructor.to')}
              hoursInputLabel={t('instructor.to')}
              minutesStep={15}
              value={window.end === '24:00' ? MIDNIGHT : window.end}
              onChange={(end) => change(index, { end: endOf(end.slice(0, 5)) })}
            />
            <button
              type="button"
              aria-label={t('instructor.removeWindow', {
                day: weekdayName(window.weekday, format),
                from: window.start,
                to: window.end,
              })}
              onClick={() => onChange(windows.filter((_, at) => at !== index))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <Button variant="default" size="xs" onClick={() => onChange([...windows, USUAL])}>
        {t('instructor.addWindow')}
      </Button>
    </fieldset>
  )
}

function endOf(text: string): string {
  return text === MIDNIGHT ? '24:00' : text
}
