import { useEffect, useRef } from 'react'
import { outliveLogout } from '../../data/session.ts'

export function useOutlivingLogout(isFilled: () => boolean): void {
  const latest = useRef(isFilled)
  latest.current = isFilled
  useEffect(() => outliveLogout(() => latest.current()), [])
}
