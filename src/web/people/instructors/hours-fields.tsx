import { useTranslation } from 'react-i18next'
import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { Button } from '../../ui/button.tsx'
import { TimeField } from '../../ui/dialogs/time-field.tsx'
import group from '../../ui/group.module.css'
import { Notice } from '../../ui/notice.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { useSchool } from '../../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../../ui/weekday-name.ts'
import { CopyDay } from './copy-day.tsx'
import css from './instructor-dialog.module.css'
import { WeekPainter } from './week-painter.tsx'

type HoursFieldsProps = {
  readonly legend: string
  readonly windows: readonly AvailabilityWindow[]
  readonly onChange: (windows: readonly AvailabilityWindow[]) => void
}

const USUAL: AvailabilityWindow = { weekday: 1, start: '08:00', end: '17:00' }

/** Time fields have no 24:00: as an end, 00:00 is that of the next day. */
const MIDNIGHT = '00:00'

export function HoursFields({ legend, windows, onChange }: HoursFieldsProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={group.group}>
      <legend>{legend}</legend>
      <p className={group.hint}>{t('instructor.hoursHint')}</p>
      {windows.length === 0 && (
        <Notice kind="open" title={t('instructor.alwaysTitle')}>
          {t('instructor.alwaysHint')}
        </Notice>
      )}
      <WeekPainter windows={windows} onChange={onChange} />
      <CopyDay windows={windows} onChange={onChange} />
      <ul className={`${css.rows} ${css.hours}`}>
        {windows.map((window, index) => (
          <WindowRow
            // biome-ignore lint/suspicious/noArrayIndexKey: two windows may be equal while they are filled in
            key={index}
            window={window}
            onChange={(part) =>
              onChange(windows.map((one, at) => (at === index ? { ...one, ...part } : one)))
            }
            onRemove={() => onChange(windows.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      <Button onClick={() => onChange([...windows, USUAL])}>{t('instructor.addWindow')}</Button>
    </fieldset>
  )
}

type WindowRowProps = {
  readonly window: AvailabilityWindow
  readonly onChange: (part: Partial<AvailabilityWindow>) => void
  readonly onRemove: () => void
}

function WindowRow({ window: { weekday, start, end }, onChange, onRemove }: WindowRowProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <li>
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
      <Button
        look="bare"
        icon="close"
        aria-label={t('instructor.removeWindow', { day: weekdayName(weekday, format), from: start, to: end })}
        onClick={onRemove}
      />
    </li>
  )
}

function endOf(text: string): string {
  return text === MIDNIGHT ? '24:00' : text
}
