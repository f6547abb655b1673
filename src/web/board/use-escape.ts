import { useEffect } from 'react'

/** Escape on the board is for the form that stands beside it: the form closes, or asks before it does. */
export function useEscape(): void {
  useEffect(() => {
    const onKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isInside = target instanceof Element && target.closest('[role="dialog"]') !== null
      const isTaken = defaultPrevented || document.querySelector('[data-held], :popover-open') !== null
      if (key !== 'Escape' || isInside || isTaken) return
      document
        .querySelector('[data-beside]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
