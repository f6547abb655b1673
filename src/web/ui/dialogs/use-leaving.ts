import { useBlocker } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { hasBegun } from '../../data/session.ts'
import { type OpenForm, openForms } from '../open-forms.ts'
import { useOutlivingLogout } from './use-outliving-logout.ts'

type DiscardGuard = {
  /** The element that contains the form. */
  readonly box: RefObject<HTMLElement | null>
  /** Whether the page beside it stays in use. */
  readonly isBeside: boolean
  /** Whether the form is being sent and must stay open. */
  readonly isBusy: boolean
  /** Whether something would be lost. */
  readonly isFilled: () => boolean
  readonly onClose: () => void
}

/** The elements on the page that Escape closes or releases. */
const OPEN_ON_PAGE = '[data-held], [data-disclosed], :popover-open'

/**
 * Asks for confirmation before Escape, the cross, the back button or a link leaves a form with input; a second press returns to
 * the form. `isAsking` is true until the user decides.
 */
export function useLeaving({ box, isBeside, isBusy, isFilled, onClose }: DiscardGuard) {
  const [isAsking, setAsking] = useState(false)
  const leave = () => {
    if (isBusy) return
    if (isAsking) setAsking(false)
    else if (isFilled()) setAsking(true)
    else onClose()
  }
  const self = useRef({ leave, isFilled, isBeside })
  Object.assign(self.current, { leave, isFilled, isBeside })
  useEffect(() => {
    const form = self.current
    openForms.push(form)
    return () => void openForms.splice(openForms.indexOf(form), 1)
  }, [])
  useOutlivingLogout(isFilled)
  useEscape(box, self.current)
  usePageKept(isFilled)
  return { isAsking, leave, stay: () => setAsking(false) }
}

/** Leaves the topmost form on Escape, before the page's own handler runs. */
function useEscape(box: RefObject<HTMLElement | null>, self: OpenForm): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event
      if (key !== 'Escape' || openForms.at(-1) !== self || !(target instanceof Element)) return
      const dialog = box.current?.closest('[role="dialog"]')
      const isInside = dialog?.contains(target) ?? false
      if (!(isInside || isLoose(target, self)) || isOpenPopover(target)) return
      event.stopPropagation()
      self.leave()
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [box, self])
}

/** Whether nothing that uses Escape has the focus, as after a click beside the form. */
function isLoose(target: Element, { isBeside }: OpenForm): boolean {
  const isOnPage = target === document.body || (isBeside && target.closest('[role="dialog"]') === null)
  return isOnPage && document.querySelector(OPEN_ON_PAGE) === null
}

/** Whether Escape must first close a list or a calendar, or revert a field's text. */
function isOpenPopover(target: Element): boolean {
  const isDate = target.closest('[data-dates-input]') !== null
  return (
    target.closest('[aria-expanded="true"], [role="combobox"][aria-invalid="true"]') !== null ||
    (isDate && document.querySelector('[data-dates-dropdown]') !== null)
  )
}

/** Lets the back button close the topmost form and keep the page. Links and closing the tab ask before input is lost. */
function usePageKept(isFilled: () => boolean): void {
  useBlocker({
    shouldBlockFn: ({ action, current, next }) => {
      const isLink = action === 'PUSH' || action === 'REPLACE'
      if (isLink && (current.pathname === next.pathname || !isFilled())) return false
      if ((isLink || action === 'BACK') && hasBegun()) openForms.at(-1)?.leave()
      return true
    },
    enableBeforeUnload: isFilled,
  })
}
