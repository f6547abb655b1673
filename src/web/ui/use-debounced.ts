import { useEffect, useState } from 'react'

/** Returns the last value that stayed the same for `milliseconds`; at first the initial value. */
export function useDebounced<T extends string | number>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
