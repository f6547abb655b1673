import { useTranslation } from 'react-i18next'
import type { AvailabilityWindow } from '../../domain/agenda.ts'
import { Button } from '../ui/button.tsx'
import field from '../ui/field.module.css'
import { useSchool } from '../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../ui/weekday-name.ts'
import css from './hours-request-fields.module.css'

/** The times of a new window. */
const USUAL = { start: '08:00', end: '17:00' }

type HoursWantedProps = {
  readonly windows: readonly AvailabilityWindow[]
  readonly onChange: (windows: AvailabilityWindow[]) => void
}

/** A week's hours by day, in the phone's own time fields. */
export function HoursRequestFields({ windows, onChange }: HoursWantedProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <ul>
      {WEEKDAYS.map((weekday) => {
        const day = weekdayName(weekday, format)
        const times = windows.filter((one) => one.weekday === weekday)
        return (
          <li key={weekday} className={css.day}>
            <span className={css.name}>{day}</span>
            {times.length === 0 && <span className={css.off}>{t('request.dayOff')}</span>}
            {times.map((window, index) => (
              <TimeOfDay
                // biome-ignore lint/suspicious/noArrayIndexKey: times have no id
                key={index}
                {...{ window, day }}
                onChange={(next) => onChange(windows.map((one) => (one === window ? next : one)))}
                onRemove={() => onChange(windows.filter((one) => one !== window))}
              />
            ))}
            <Button
              className={css.add}
              icon="plus"
              aria-label={`${t('request.addTime')}: ${day}`}
              onClick={() => onChange([...windows, { weekday, ...USUAL }])}
            />
          </li>
        )
      })}
    </ul>
  )
}

type TimeOfDayProps = {
  readonly window: AvailabilityWindow
  readonly day: string
  readonly onChange: (window: AvailabilityWindow) => void
  readonly onRemove: () => void
}

/** Time fields have no 24:00: as an end, 00:00 is midnight. */
function TimeOfDay({ window, day, onChange, onRemove }: TimeOfDayProps) {
  const { t } = useTranslation()
  const { start, end } = window
  return (
    <span className={css.time}>
      <input
        type="time"
        className={`${field.field} ${css.input}`}
        required
        aria-label={t('request.start', { day })}
        value={start}
        onChange={({ target }) => onChange({ ...window, start: target.value })}
      />
      –
      <input
        type="time"
        className={`${field.field} ${css.input}`}
        required
        aria-label={t('request.end', { day })}
        value={end === '24:00' ? '00:00' : end}
        onChange={({ target }) =>
          onChange({ ...window, end: target.value === '00:00' ? '24:00' : target.value })
        }
      />
      <Button
        className={css.add}
        icon="close"
        aria-label={t('request.removeTime', { day })}
        onClick={onRemove}
      />
    </span>
  )
}
