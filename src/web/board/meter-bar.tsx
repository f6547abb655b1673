import type { Meter } from '../lessons/meter.ts'

/** Shows booked units and their limit. */
export function MeterBar({ units, label, level, filled }: Meter) {
  return (
    <span className={`meter meter-${level}`} title={label}>
      <span className="meter-track">
        <span className="meter-bar" style={{ inlineSize: `${filled}%` }} />
      </span>
      <span className="meter-text">{units}</span>
    </span>
  )
}
