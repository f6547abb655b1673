import { type PointerEvent, useState } from 'react'
import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { useSchool } from '../../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../../ui/weekday-name.ts'
import {
  cleared,
  datedTimesOn,
  EARLIEST_MINUTE,
  isOpenAt,
  painted,
  type Stroke,
  timesOn,
} from './week-paint.ts'
import css from './week-painter.module.css'

const LAST_MINUTE = 22 * 60
const STEP_MINUTES = 30
const PIXELS_PER_MINUTE = 0.4
const HOURS = [6, 8, 10, 12, 14, 16, 18, 20, 22]

type WeekPainterProps = {
  readonly windows: readonly AvailabilityWindow[]
  readonly onChange: (windows: readonly AvailabilityWindow[]) => void
}

type Brush = Stroke & { readonly from: number; readonly isClearing: boolean }

/** Paints working hours by pointer; the fields below offer the same by keyboard. */
export function WeekPainter({ windows, onChange }: WeekPainterProps) {
  const { format } = useSchool()
  const { brush, begin, go, end, giveUp } = useBrush({ windows, onChange })

  return (
    <div className={css.week} aria-hidden="true">
      <div className={css.hours}>
        {HOURS.map((hour) => (
          <span key={hour} style={{ insetBlockStart: topOf(hour * 60) }}>
            {hour}
          </span>
        ))}
      </div>
      {WEEKDAYS.map((weekday) => (
        <div key={weekday} className={css.day}>
          <span className={css.name}>{weekdayName(weekday, format).slice(0, 2)}</span>
          <div
            className={css.column}
            data-weekday={weekday}
            style={{ blockSize: topOf(LAST_MINUTE) }}
            onPointerDown={begin(weekday)}
            onPointerMove={go}
            onPointerUp={end}
            onPointerCancel={giveUp}
          >
            {datedTimesOn(weekday, windows).map((time, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: hours of different dates may have the same start
              <span key={`dated ${index}`} className={css.dated} style={spanStyle(time)} />
            ))}
            {timesOn(weekday, windows).map((time) => (
              <span key={time.start} className={css.open} style={spanStyle(time)} />
            ))}
            {brush?.weekday === weekday && (
              <span className={css.brush} data-clearing={brush.isClearing} style={spanStyle(brush)} />
            )}
          </div>
        </div>
      ))}
    </div>
  )
}

/** Returns the stroke and its handlers. A stroke adds time, or removes it if it starts on open time. */
function useBrush({ windows, onChange }: WeekPainterProps) {
  const [brush, setBrush] = useState<Brush>()

  const begin = (weekday: number) => (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const from = minuteAt(event)
    setBrush({ weekday, from, ...cellAt(from), isClearing: isOpenAt(windows, weekday, from) })
  }
  const go = (event: PointerEvent<HTMLDivElement>) => {
    if (!brush) return
    const [first, last] = [cellAt(brush.from), cellAt(minuteAt(event))]
    setBrush({
      ...brush,
      start: Math.min(first.start, last.start),
      end: Math.max(first.end, last.end),
    })
  }
  const end = () => {
    if (!brush) return
    const { weekday, start, end: until, isClearing } = brush
    const stroke = { weekday, start, end: until }
    onChange(isClearing ? cleared(windows, stroke) : painted(windows, stroke))
    setBrush(undefined)
  }

  return { brush, begin, go, end, giveUp: () => setBrush(undefined) }
}

function minuteAt({ currentTarget, clientY }: PointerEvent<HTMLDivElement>): number {
  const minute = EARLIEST_MINUTE + (clientY - currentTarget.getBoundingClientRect().top) / PIXELS_PER_MINUTE
  return Math.min(Math.max(Math.floor(minute), EARLIEST_MINUTE), LAST_MINUTE - 1)
}

function cellAt(minute: number): { start: number; end: number } {
  const start = Math.floor(minute / STEP_MINUTES) * STEP_MINUTES
  return { start, end: start + STEP_MINUTES }
}

function topOf(minute: number): number {
  return (minute - EARLIEST_MINUTE) * PIXELS_PER_MINUTE
}

function spanStyle({ start, end }: { start: number; end: number }) {
  const top = topOf(Math.max(start, EARLIEST_MINUTE))
  return { insetBlockStart: top, blockSize: topOf(Math.min(end, LAST_MINUTE)) - top }
}
