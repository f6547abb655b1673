import { useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../data/send.ts'

/** Runs one login attempt at a time. Keeps its failure or, after too many attempts, the seconds to wait. */
export function useAttempt() {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [wait, startWait] = useCountdown()
  const isUnderWay = useRef(false)

  const attempt = async (work: () => Promise<void>) => {
    // A second click may be queued before the next render.
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      const isThrottled = failure instanceof ApiProblem && failure.is('too_many_requests')
      if (isThrottled) startWait(failure.retryAfterSeconds ?? 60)
      else setError(failure)
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }

  return { attempt, error, isBusy, wait }
}

function useCountdown(): readonly [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
