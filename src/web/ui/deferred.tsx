import i18next from 'i18next'
import { type ComponentType, useEffect, useState } from 'react'
import { fetchCode } from './lazily.ts'
import { toast } from './toasts.ts'

type Closable = { readonly onClose: () => void }
type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

const loaded = new Map<unknown, unknown>()

/**
 * A dialog whose code is fetched when it is first opened. Where that fails the page stays as it is, says so, and the next
 * opening tries again, which `lazy` of React would not.
 */
export function Deferred<Props extends Closable>({ load, props }: { load: Load<Props>; props: Props }) {
  const [, redraw] = useState(0)
  const { onClose } = props
  const Part = loaded.get(load) as ComponentType<Props> | undefined
  const isHere = Part !== undefined
  useEffect(() => {
    // Not whether it has come since this was drawn: then nobody would draw it.
    if (isHere) return
    let isWanted = true
    fetchCode(load).then(
      (part) => {
        loaded.set(load, part.default)
        if (isWanted) redraw((count) => count + 1)
      },
      () => {
        if (!isWanted) return
        tellNotFetched()
        onClose()
      },
    )
    return () => {
      isWanted = false
    }
  }, [isHere, load, onClose])
  return Part ? <Part {...props} /> : null
}

/** Fetches dialogs while nothing else is to be done, so that they open at once. */
export function usePreloaded(...loads: readonly (() => Promise<unknown>)[]): void {
  const [wanted] = useState(loads)
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled(wanted.map(fetchCode)), IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [wanted])
}

/** By then the page stands, and nobody has yet asked for more. */
const IDLE_AFTER_MS = 1000

/** Reports that a part of the app cannot be fetched; the service may run another version by now. */
function tellNotFetched(): void {
  const text = i18next.t(navigator.onLine ? 'failure.outdated' : 'failure.unreachable')
  toast({ kind: 'problem', text })
}
