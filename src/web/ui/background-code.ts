import { useEffect, useState } from 'react'

/** Code that the page does not wait for. A failed fetch is repeated at the next use. */
export function backgroundCode<Module>(fetchIt: () => Promise<Module>) {
  let module: Module | undefined
  let loading: Promise<void> | undefined
  const load = () => {
    loading ??= fetchIt().then(
      (fetched) => {
        module = fetched
      },
      () => {
        loading = undefined
      },
    )
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
