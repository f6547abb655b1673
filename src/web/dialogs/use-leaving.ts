import { useBlocker } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { hasBegun } from '../session/session.ts'

type Leaving = {
  /** What the form is drawn in. */
  readonly box: RefObject<HTMLElement | null>
  /** Whether it is being sent: then it stays. */
  readonly isBusy: boolean
  /** Whether something would be lost. */
  readonly isFilled: () => boolean
  readonly onClose: () => void
}

/** The forms that are open, the topmost last. */
const open: { leave: () => void }[] = []

/**
 * The ways out of a form by which somebody may slip: Escape, the cross and the back button ask before anything is lost, and once
 * more means to stay. `isAsking` until there is an answer.
 */
export function useLeaving({ box, isBusy, isFilled, onClose }: Leaving) {
  const [isAsking, setAsking] = useState(false)
  const leave = () => {
    if (isBusy) return
    if (isAsking) setAsking(false)
    else if (isFilled()) setAsking(true)
    else onClose()
  }
  const self = useRef({ leave })
  self.current.leave = leave
  useEffect(() => {
    const form = self.current
    open.push(form)
    return () => void open.splice(open.indexOf(form), 1)
  }, [])
  useEscape(box, self.current)
  useBackButton(isFilled)
  return { isAsking, leave, stay: () => setAsking(false) }
}

/** Also where nothing has the focus, as after a click beside the form. It comes before what the page does about the key. */
function useEscape(box: RefObject<HTMLElement | null>, self: { readonly leave: () => void }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event
      if (key !== 'Escape' || open.at(-1) !== self || !(target instanceof Element)) return
      const dialog = box.current?.closest('[role="dialog"]')
      if (target !== document.body && !dialog?.contains(target)) return
      if (isOpenPopover(target)) return
      event.stopPropagation()
      self.leave()
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [box, self])
}

/** Escape closes a list or calendar first, if one is open, and gives a field back the choice that its text has left. */
function isOpenPopover(target: Element): boolean {
  const isDate = target.closest('[data-dates-input]') !== null
  return (
    target.closest('[aria-expanded="true"], [role="combobox"][aria-invalid="true"]') !== null ||
    (isDate && document.querySelector('[data-dates-dropdown]') !== null)
  )
}

/** The back button closes the topmost form, and leaves the page beneath; so does nothing that closes the tab. */
function useBackButton(isFilled: () => boolean): void {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action === 'PUSH' || action === 'REPLACE') return false
      if (action === 'BACK' && hasBegun()) open.at(-1)?.leave()
      return true
    },
    enableBeforeUnload: isFilled,
  })
}
