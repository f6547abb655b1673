import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { isLocalDate, type LocalDate } from '../../../domain/local-time.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { useSchool } from '../../ui/school.tsx'
import { changedFrom, type HoursPeriod, periodsIn } from './hours-periods.ts'
import css from './instructor-dialog.module.css'

/** Returns the period of hours to paint, at first the latest; undefined while no hours follow others. */
export function useHoursPeriod(windows: readonly AvailabilityWindow[]) {
  const [from, setFrom] = useState<LocalDate | null>()
  const periods = periodsIn(windows)
  const period = periods.find(({ valid_from }) => valid_from === from) ?? periods.at(-1)
  return { period, periods, choose: setFrom }
}

type NewHoursProps = ReturnType<typeof useHoursPeriod> & {
  readonly windows: readonly AvailabilityWindow[]
  readonly onChange: (windows: readonly AvailabilityWindow[]) => void
}

/** Begins new hours on a date, and chooses between the earlier and the new ones. */
export function NewHours({ windows, period, periods, choose, onChange }: NewHoursProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [date, setDate] = useState('')
  const begin = () => {
    onChange(changedFrom(windows, date))
    choose(date)
    setOpen(false)
    setDate('')
  }
  const textOf = ({ valid_from, valid_to }: HoursPeriod) =>
    [
      valid_from && t('instructor.validFromDate', { date: format.day(valid_from) }),
      valid_to && t('instructor.validToDate', { date: format.day(valid_to) }),
    ]
      .filter(Boolean)
      .join(' ')
  return (
    <div className={css.newHours}>
      {period && (
        <OptionSelect
          label={t('instructor.hoursShown')}
          value={String(period.valid_from)}
          options={periods.map((one) => [String(one.valid_from), textOf(one)] as const)}
          onChange={(from) => choose(from === 'null' ? null : from)}
        />
      )}
      {isOpen ? (
        <>
          <DateField label={t('instructor.newHoursFrom')} autoFocus value={date} onChange={setDate} />
          <Button disabled={!isLocalDate(date)} onClick={begin}>
            {t('instructor.beginHours')}
          </Button>
        </>
      ) : (
        <Button onClick={() => setOpen(true)}>{t('instructor.newHours')}</Button>
      )}
    </div>
  )
}
