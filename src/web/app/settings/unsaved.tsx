import { useBlocker } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { Discarding } from '../../ui/dialogs/discarding.tsx'
import { useOutlivingLogout } from '../../ui/dialogs/use-outliving-logout.ts'

/** Whether each part of the page has unsaved input. */
const parts = new Set<RefObject<boolean>>()

/** Keeps a part's unsaved input from being lost by leaving the page, and by a logout in another tab. */
export function useUnsaved(isUnsaved: boolean): void {
  const self = useRef(isUnsaved)
  self.current = isUnsaved
  useEffect(() => {
    parts.add(self)
    return () => void parts.delete(self)
  }, [])
  useOutlivingLogout(() => isUnsaved)
}

/** Asks for confirmation before unsaved input is lost by leaving the page. */
export function Unsaved() {
  const isUnsaved = () => [...parts].some(({ current }) => current)
  const blocker = useBlocker({ shouldBlockFn: isUnsaved, enableBeforeUnload: isUnsaved, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return <Discarding onStay={blocker.reset} onDiscard={blocker.proceed} />
}
