import { useEffect, useState } from 'react'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { useSchool } from '../ui/school.tsx'

const EVERY_MS = 5_000

/** The school's wall clock, as it goes on. */
export function useNow(): LocalDateTime {
  const { timezone } = useSchool().tenant
  const [now, setNow] = useState(() => localNow(new Date(), timezone))
  useEffect(() => {
    const timer = setInterval(() => setNow(localNow(new Date(), timezone)), EVERY_MS)
    return () => clearInterval(timer)
  }, [timezone])
  return now
}
