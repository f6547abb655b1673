import { useEffect, useRef } from 'react'
import { outliveLogout } from '../../data/session.ts'

/** Lets a form outlive a logout in another tab while it has unsaved input. */
export function useOutlivingLogout(isFilled: () => boolean): void {
  const latest = useRef(isFilled)
  latest.current = isFilled
  useEffect(() => outliveLogout(() => latest.current()), [])
}
