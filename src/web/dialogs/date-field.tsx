import { DateInput, type DateInputProps } from '@mantine/dates'
import { useTranslation } from 'react-i18next'
import type { LocalDate } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { useSchool } from '../ui/school.tsx'
import { Dates, useCalendarLabels } from './dates.tsx'
import { typedDate } from './typed-date.ts'

type DateFieldProps = Omit<DateInputProps, 'value' | 'onChange' | 'valueFormat'> & {
  /** Empty while there is none. */
  readonly value: LocalDate
  readonly onChange: (date: LocalDate) => void
  /** A day that is typed without its year is the next one from here on; today, if not given. */
  readonly notBefore?: LocalDate | undefined
  /** Whether it is a day of the past: then the last one. */
  readonly isOver?: boolean
}

/** A day, picked or typed as the reader's language writes it. */
export function DateField({ value, onChange, notBefore, isOver, ...more }: DateFieldProps) {
  const { i18n } = useTranslation()
  const { tenant } = useSchool()
  const ariaLabels = useCalendarLabels()
  return (
    <Dates>
      <DateInput
        {...more}
        ariaLabels={ariaLabels}
        value={value || null}
        onChange={(date) => onChange(date ?? '')}
        dateParser={(text) => typedDate(text, notBefore || localToday(new Date(), tenant.timezone), isOver)}
        valueFormat={i18n.language === 'de' ? 'DD.MM.YYYY' : 'DD/MM/YYYY'}
      />
    </Dates>
  )
}
