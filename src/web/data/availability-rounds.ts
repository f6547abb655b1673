import type { RoundOfWeek } from '../../contract/availability-round.ts'
import { COMPUTED } from './computed.ts'
import { followedQuery } from './followed-get.ts'

/** The round of messages for the week that begins on a Monday. Read again after each answer. */
export function roundOfWeek(monday: string) {
  const path = `/availability-rounds/${monday}`
  return followedQuery<{ readonly round: RoundOfWeek | null }>([COMPUTED, 'round', monday], path)
}
