import css from './progress-bar.module.css'

type ProgressBarProps = {
  readonly done_units: number
  readonly planned_units: number
  readonly required_units: number
}

/** The done and planned parts of a requirement. The text beside it has the same content. */
export function ProgressBar({ done_units, planned_units, required_units }: ProgressBarProps) {
  const done = Math.min(done_units, required_units)
  const planned = Math.min(planned_units, required_units - done)
  const percent = (units: number) => `${(100 * units) / Math.max(required_units, 1)}%`
  return (
    <span className={css.bar} data-bar aria-hidden="true">
      <span className={css.done} style={{ inlineSize: percent(done) }} />
      <span className={css.planned} style={{ inlineSize: percent(planned) }} />
    </span>
  )
}
