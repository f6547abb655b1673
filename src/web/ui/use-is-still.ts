import { useEffect, useState } from 'react'

/** Whether a text has not changed for so many milliseconds. */
export function useIsStill(text: string, ms: number): boolean {
  const [still, setStill] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setStill(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return still === text
}
