import { useSchool } from '../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../ui/weekday-name.ts'
import css from './finder.module.css'

type WeekdayTogglesProps = {
  readonly label: string
  readonly chosen: readonly number[]
  /** A weekday that stays chosen. */
  readonly fixed?: number
  readonly onChoose: (chosen: readonly number[]) => void
}

export function WeekdayToggles({ label, chosen, fixed, onChoose }: WeekdayTogglesProps) {
  const { format } = useSchool()
  const toggle = (day: number) =>
    onChoose(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])
  return (
    <fieldset className={css.toggles} aria-label={label}>
      {WEEKDAYS.map((day) => {
        const name = weekdayName(day, format)
        return (
          <button
            key={day}
            type="button"
            aria-label={name}
            data-short={name.slice(0, 2)}
            aria-pressed={chosen.includes(day) || day === fixed}
            disabled={day === fixed}
            onClick={() => toggle(day)}
          />
        )
      })}
    </fieldset>
  )
}
