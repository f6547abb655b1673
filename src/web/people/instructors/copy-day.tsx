import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { Button } from '../../ui/button.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { useSchool } from '../../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../../ui/weekday-name.ts'
import css from './copy-day.module.css'
import { copied, workingDays } from './week-paint.ts'

const WORKDAYS = [1, 2, 3, 4, 5]

type CopyDayProps = {
  readonly windows: readonly AvailabilityWindow[]
  readonly onChange: (windows: readonly AvailabilityWindow[]) => void
}

/** Copies the hours of one day to others; hidden while no day has any. */
export function CopyDay({ windows, onChange }: CopyDayProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<number>()
  const days = workingDays(windows)
  const from = days.find((day) => day === chosen) ?? days[0]
  if (from === undefined) return null
  const short = (weekday: number | undefined) => weekdayName(weekday ?? from, format).slice(0, 2)
  const workdays = WORKDAYS.filter((day) => day !== from)
  const [first, last] = [workdays[0], workdays.at(-1)]
  return (
    <fieldset className={css.copy} aria-label={t('instructor.copy')}>
      <span>{t('instructor.copyFrom')}</span>
      <OptionSelect
        label={t('instructor.copyFrom')}
        value={String(from)}
        options={days.map((day) => [String(day), weekdayName(day, format)] as const)}
        onChange={(day) => setChosen(Number(day))}
      />
      <span>{t('instructor.copyTo')}</span>
      <Button onClick={() => onChange(copied(windows, from, workdays))}>
        {t('instructor.copyToDays', { first: short(first), last: short(last) })}
      </Button>
      {WEEKDAYS.filter((day) => day !== from).map((day) => (
        <Button
          key={day}
          className={css.day}
          aria-label={t('instructor.copyToDay', { day: weekdayName(day, format) })}
          data-short={short(day)}
          onClick={() => onChange(copied(windows, from, [day]))}
        />
      ))}
    </fieldset>
  )
}
