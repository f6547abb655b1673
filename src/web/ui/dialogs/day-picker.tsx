import { DatePicker } from '@mantine/dates'
import type { LocalDate } from '../../../domain/local-time.ts'
import { Dates, useCalendarLabels, useDayMarks } from './dates.tsx'
import css from './day-picker.module.css'
import { Mantine } from './mantine.tsx'

type DayPickerProps = { readonly date: LocalDate; readonly onPick: (date: LocalDate) => void }

export default function DayPicker({ date, onPick }: DayPickerProps) {
  const ariaLabels = useCalendarLabels()
  const marks = useDayMarks()
  return (
    <Mantine>
      <Dates>
        <DatePicker
          className={css.picker}
          value={date}
          defaultDate={date}
          withWeekNumbers
          ariaLabels={ariaLabels}
          getDayProps={marks}
          onChange={(picked) => picked && onPick(picked)}
        />
      </Dates>
    </Mantine>
  )
}
