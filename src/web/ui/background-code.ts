import { useEffect, useState } from 'react'
import { fetchCode, reportNotFetched } from './lazily.ts'

/** Resolves once the browser is idle, so that what the page needs first comes first. Safari has no idle callbacks. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(resolve, { timeout: 1000 })
      : setTimeout(resolve, 200),
  )
}

/** Fetches code that the page works without. If the host answers and the code still fails, reports that the page must be reloaded. */
export async function fetchAside<Module>(fetchIt: () => Promise<Module>): Promise<Module | undefined> {
  try {
    return await fetchIt().catch(() => fetchCode(fetchIt))
  } catch (error) {
    // If the host cannot be reached, `fetchCode` rejects with the event of its picture, not with an `Error`.
    if (error instanceof Error) reportNotFetched()
    return undefined
  }
}

/** Code that the page does not wait for. A failed fetch is repeated at the next use. */
export function backgroundCode<Module>(fetchIt: () => Promise<Module>) {
  let module: Module | undefined
  let loading: Promise<void> | undefined
  const load = () => {
    loading ??= fetchAside(fetchIt).then((fetched) => {
      module = fetched
      if (!fetched) loading = undefined
    })
    return loading
  }
  return {
    /** Starts fetching. Never throws. */
    load,
    /** Returns the code; undefined until it is fetched. */
    use: (): Module | undefined => {
      const [known, setKnown] = useState(() => module)
      useEffect(() => {
        if (!known) void load().then(() => setKnown(() => module))
      }, [known])
      return known
    },
  }
}
