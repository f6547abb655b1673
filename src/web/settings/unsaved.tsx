import { useBlocker } from '@tanstack/react-router'
import { Discarding } from '../dialogs/discarding.tsx'
import { useOutlivingLogout } from '../dialogs/use-outliving-logout.ts'

/** Asks before what has been filled in is lost by going to another page. */
export function Unsaved({ isUnsaved }: { isUnsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  useOutlivingLogout(() => isUnsaved)
  if (blocker.status !== 'blocked') return null
  return <Discarding onStay={blocker.reset} onDiscard={blocker.proceed} />
}
