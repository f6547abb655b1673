import { useEffect, useState } from 'react'

/** Returns the value once it has been stable for so many milliseconds. Compared by identity: pass a text or a number. */
export function useDebounced<T extends string | number>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
