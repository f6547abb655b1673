import { skippedFaultsFor } from '../domain/appointment-times.ts'
import { inText } from './appointment.ts'
import type { Fault } from './problem.ts'

type Times = { readonly start_at: string; readonly end_at: string }

/** Returns the faults of a list of absences: times that a clock change skips, and ends that are not after their start. */
export function absenceTimeFaultsFor(absences: readonly Times[], timezone: string): readonly Fault[] {
  return absences.flatMap((times, index) => {
    const { start_at, end_at } = times
    const order = start_at < end_at ? [] : [{ code: 'wrong_order', field: 'end_at', start_at } as const]
    return [...skippedFaultsFor(times, timezone), ...order].map((fault) => {
      const { pointer, ...rest } = inText(fault)
      return { ...rest, pointer: `/absences/${index}${pointer}` }
    })
  })
}
