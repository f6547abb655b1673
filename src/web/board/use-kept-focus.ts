import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { blockOf, lessonIn } from './block-of.ts'

/** Focuses a lesson again that has lost the focus because its box is another one now. */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  const focused = useRef<string>(undefined)
  useEffect(() => {
    const note = ({ target }: Event) => {
      const block = target instanceof Element ? target.closest('[data-lesson], [data-ghost]') : null
      focused.current = lessonIn(block)
    }
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', note)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', note)
    }
  }, [])
  useLayoutEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return
    blockOf(focused.current, main.current ?? undefined)?.focus()
  })
}
