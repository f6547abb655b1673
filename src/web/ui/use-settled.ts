import { useEffect, useState } from 'react'

/** The value as it was when it last stayed the same for so many milliseconds. It is compared as it is: give a text or a number. */
export function useSettled<T extends string | number>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
