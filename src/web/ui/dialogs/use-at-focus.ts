import { useRef } from 'react'

/**
 * Returns a value as it was when a field got the focus, and the field's focus handler. Other values that follow from a date are
 * computed from it, because a half-typed date may parse as another one.
 */
export function useAtFocus<T>(value: T) {
  const before = useRef(value)
  const onFocus = () => {
    before.current = value
  }
  return { before, onFocus }
}
