import { type ComponentType, useEffect, useState } from 'react'
import { withTexts } from './i18n/i18n.ts'
import { fetchCode, reportNotFetched } from './lazily.ts'

type Closable = { readonly onClose: () => void }
type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>
type DeferredProps<Props> = {
  readonly load: Load<Props>
  readonly props: Props
  /** Whether an installed app has this code offline. */
  readonly isKept?: boolean
}

const loaded = new Map<unknown, unknown>()

/** A dialog whose code is fetched on first opening. Unlike React's `lazy`, it retries a failed fetch on the next opening. */
export function Deferred<Props extends Closable>({ load, props, isKept = false }: DeferredProps<Props>) {
  const [, redraw] = useState(0)
  const { onClose } = props
  const Part = loaded.get(load) as ComponentType<Props> | undefined
  const isHere = Part !== undefined
  useEffect(() => {
    // As of this render: code loaded since then still needs a redraw.
    if (isHere) return
    let isWanted = true
    fetchPart(load, isKept).then(
      () => {
        if (isWanted) redraw((count) => count + 1)
      },
      () => {
        if (!isWanted) return
        reportNotFetched()
        onClose()
      },
    )
    return () => {
      isWanted = false
    }
  }, [isHere, load, isKept, onClose])
  return Part ? <Part {...props} /> : null
}

/** Fetches a dialog, which then opens at once, and without a network. */
async function fetchPart(load: () => Promise<object>, isKept = false): Promise<void> {
  const fetched = isKept && navigator.serviceWorker?.controller ? withTexts(load)() : fetchCode(load)
  const part: { readonly default?: unknown } = await fetched
  loaded.set(load, part.default)
}

/** Fetches dialogs and other code when the page is idle. */
export function usePreloaded(...loads: readonly (() => Promise<object>)[]): void {
  const [wanted] = useState(loads)
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.allSettled(wanted.map((load) => fetchPart(load))),
      IDLE_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [wanted])
}

/** The delay after which the page is complete and probably idle. */
const IDLE_AFTER_MS = 1000
