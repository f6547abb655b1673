import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { hasUnsavedForm } from '../data/session.ts'

/** Fetches the dialog that asks before input is lost. */
export const loadDiscarding = () => import('./dialogs/discarding.tsx')
const Discarding = lazy(async () => ({ default: (await loadDiscarding()).Discarding }))

/** Returns a function that calls `act` unless the user chooses to keep unsaved input, and the dialog that asks. */
export function useDiscardQuestion() {
  const [pending, setPending] = useState<(() => void) | undefined>()
  const question = pending && (
    <DiscardQuestion
      onStay={() => setPending(undefined)}
      onDiscard={() => {
        setPending(undefined)
        pending()
      }}
    />
  )
  return { leave: (act: () => void) => (hasUnsavedForm() ? setPending(() => act) : act()), question }
}

/** Asks for confirmation before input is lost. Its code is fetched on first opening. */
export function DiscardQuestion(props: ComponentProps<typeof Discarding>) {
  return (
    <Suspense>
      <Discarding {...props} />
    </Suspense>
  )
}
