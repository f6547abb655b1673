import { TimePicker } from '@mantine/dates'
import './dates.css'

type TimeFieldProps = {
  readonly label: string
  /** For a field in a row that explains itself. */
  readonly isLabelHidden?: boolean
  readonly description?: string | false
  /** By how much the arrow keys change it. */
  readonly step: number
  /** As `HH:MM`; empty while it is not complete. */
  readonly value: string
  readonly onChange: (time: string) => void
}

/** A time of the day, typed or picked. */
export function TimeField({ label, isLabelHidden = false, step, onChange, ...more }: TimeFieldProps) {
  return (
    <TimePicker
      {...more}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      hoursInputLabel={label}
      minutesStep={step}
      onChange={(time) => onChange(time.slice(0, 'HH:MM'.length))}
    />
  )
}
