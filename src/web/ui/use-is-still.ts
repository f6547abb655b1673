import { useEffect, useState } from 'react'

/** Whether the text has not changed for `ms` milliseconds. */
export function useIsStill(text: string, ms: number): boolean {
  const [still, setStill] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setStill(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return still === text
}
