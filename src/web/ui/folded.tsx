import { type ReactNode, useSyncExternalStore } from 'react'
import { Disclosure } from './disclosure.tsx'

type FoldedProps = {
  /** The widest window in pixels that folds them. */
  readonly upTo: number
  readonly label: ReactNode
  readonly children: (close: () => void) => ReactNode
}

/** Controls that a narrow window has behind a button. */
export function Folded({ upTo, label, children }: FoldedProps) {
  if (!useNarrow(upTo)) return children(() => {})
  return (
    <Disclosure align="end" label={label}>
      {children}
    </Disclosure>
  )
}

function useNarrow(upTo: number): boolean {
  const media = matchMedia(`(max-width: ${upTo}px)`)
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => media.matches,
  )
}
