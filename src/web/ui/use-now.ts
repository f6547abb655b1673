import { useEffect, useState } from 'react'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { useSchool } from './school.tsx'

/** The time within which a changed clock or a machine's wake-up is noticed. */
const EVERY_MS = 5_000

/** Returns the school's local time; rerenders every minute. */
export function useNow(): LocalDateTime {
  const { timezone } = useSchool().tenant
  const [now, setNow] = useState(() => localNow(new Date(), timezone))
  useEffect(() => {
    const timer = setInterval(() => setNow(localNow(new Date(), timezone)), EVERY_MS)
    return () => clearInterval(timer)
  }, [timezone])
  return now
}
