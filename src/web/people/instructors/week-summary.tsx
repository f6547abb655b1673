import { useTranslation } from 'react-i18next'
import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { windowsOn } from '../../../domain/availability.ts'
import { MINUTES_PER_DAY } from '../../../domain/local-time.ts'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../../ui/weekday-name.ts'
import css from './instructors-page.module.css'
import { datedTimesOn, EARLIEST_MINUTE, timesOn } from './week-paint.ts'

export function WeekSummary({ windows }: { windows: readonly AvailabilityWindow[] }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  if (windows.length === 0) return <p className={page.dimmed}>{t('instructor.always')}</p>
  return (
    <div className={css.days}>
      {WEEKDAYS.map((weekday) => {
        const times = windowsOn(weekday, windows)
        return (
          <span key={weekday} title={times.map(({ start, end }) => `${start}–${end}`).join(', ')}>
            <span className={css.bar}>
              {datedTimesOn(weekday, windows).map(({ start, end }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: hours of different dates may have the same start
                <span key={`dated ${index}`} className={css.dated} style={spanStyle(start, end)} />
              ))}
              {timesOn(weekday, windows).map(({ start, end }) => (
                <span key={start} className={css.open} style={spanStyle(start, end)} />
              ))}
            </span>
            {weekdayName(weekday, format).slice(0, 2)}
          </span>
        )
      })}
    </div>
  )
}

const SHOWN_MINUTES = MINUTES_PER_DAY - EARLIEST_MINUTE

function spanStyle(start: number, end: number) {
  const percent = (minute: number) => (Math.max(minute - EARLIEST_MINUTE, 0) / SHOWN_MINUTES) * 100
  return { insetBlockStart: `${percent(start)}%`, blockSize: `${percent(end) - percent(start)}%` }
}
