import { useEffect, useSyncExternalStore } from 'react'
import { isOtherScript } from '../../domain/scripts.ts'
import type { Romanize } from '../../domain/spelling.ts'
import { fetchAside } from './background-code.ts'

let romanize: Romanize | undefined
let loading: Promise<void> | undefined
const watchers = new Set<() => void>()

/** Fetches the tables of other scripts, which are large, and then renders the searches again. Never throws. */
export function loadRomanize(): Promise<void> {
  loading ??= fetchAside(() => import('any-ascii')).then((fetched) => {
    romanize = fetched?.default
    if (!fetched) loading = undefined
    for (const watcher of watchers) watcher()
  })
  return loading
}

type Named = { readonly first_name: string; readonly last_name: string }

/** Returns the function that writes names in Latin letters; undefined until one of these people, or a search, needs it. */
export function useRomanize(...lists: readonly (readonly Named[])[]): Romanize | undefined {
  const isNeeded = lists.some((people) =>
    people.some(({ first_name, last_name }) => isOtherScript(first_name + last_name)),
  )
  useEffect(() => {
    if (isNeeded) void loadRomanize()
  }, [isNeeded])
  return useSyncExternalStore(watch, () => romanize)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
