import { useEffect, useState } from 'react'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { useSchool } from './school.tsx'

const MS_PER_MINUTE = 60_000

/** The school's wall clock, which goes on while the page stands. */
export function useNow(): LocalDateTime {
  const { timezone } = useSchool().tenant
  const [now, setNow] = useState(() => localNow(new Date(), timezone))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each minute waits for the next
  useEffect(() => {
    const wait = MS_PER_MINUTE - (Date.now() % MS_PER_MINUTE)
    const timer = setTimeout(() => setNow(localNow(new Date(), timezone)), wait)
    return () => clearTimeout(timer)
  }, [now, timezone])
  return now
}
