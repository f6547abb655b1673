import { useBlocker } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { outliveLogout } from '../data/session.ts'
import { DiscardQuestion } from './discard-question.tsx'

/** The parts of the page, each as a function that returns whether it has unsaved input. */
const parts = new Set<RefObject<() => boolean>>()

/** Keeps a part's unsaved input from being lost by leaving the page, and by a logout in another tab. */
export function useUnsaved(isUnsaved: () => boolean): void {
  const self = useRef(isUnsaved)
  self.current = isUnsaved
  useEffect(() => {
    parts.add(self)
    const forget = outliveLogout(() => self.current())
    return () => {
      parts.delete(self)
      forget()
    }
  }, [])
}

/** Asks for confirmation before unsaved input is lost by leaving the page. */
export function Unsaved() {
  const isUnsaved = () => [...parts].some(({ current }) => current())
  const blocker = useBlocker({
    // Opening a dialog of the page changes only the search parameters.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isUnsaved(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return <DiscardQuestion onStay={blocker.reset} onDiscard={blocker.proceed} />
}
