import { DatePicker } from '@mantine/dates'
import type { LocalDate } from '../../../domain/local-time.ts'
import { Dates, useCalendarLabels, useDayMarks } from './dates.tsx'
import css from './day-picker.module.css'
import { Mantine } from './mantine.tsx'

type DayPickerProps = {
  readonly date: LocalDate
  readonly onPick: (date: LocalDate) => void
  readonly onClose: () => void
}

/** A calendar that picks a day and closes. */
export default function DayPicker({ date, onPick, onClose }: DayPickerProps) {
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
          onChange={(picked) => {
            if (!picked) return
            onClose()
            onPick(picked)
          }}
        />
      </Dates>
    </Mantine>
  )
}
