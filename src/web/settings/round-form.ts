import type { AvailabilityRound } from '../../domain/availability-round.ts'

/** The time of the weekly round; no weekday for none. */
export type RoundForm = { readonly weekday: number | ''; readonly time: string }

export function roundFormOf(round: AvailabilityRound | null): RoundForm {
  return round ? { ...round } : { weekday: '', time: '' }
}

export function roundIn({ weekday, time }: RoundForm): AvailabilityRound | null {
  return weekday === '' ? null : { weekday, time }
}

export function isWholeRound({ weekday, time }: RoundForm): boolean {
  return weekday === '' || time !== ''
}
