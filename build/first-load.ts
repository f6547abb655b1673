import { join } from 'node:path'
import type { Rolldown } from 'vite'

const OF_THE_BOARD = /\/src\/web\/board\/|\/node_modules\/(?:@event-calendar|svelte|esm-env)\//

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

/**
 * Names the chunk of what is loaded before the board is drawn, whichever page comes first: in one piece it compresses better than in
 * twenty, and is asked for once. What is imported when needed is not in it, nor what only the board needs.
 */
export function firstChunk(root: string, modules: readonly string[]) {
  let loaded: ReadonlySet<string> | undefined
  return (id: string, graph: Graph): string | null => {
    loaded ??= loadedAlong(
      modules.map((path) => join(root, path)),
      graph,
    )
    return loaded.has(id) && !OF_THE_BOARD.test(id) ? 'shared' : null
  }
}

function loadedAlong(entries: readonly string[], graph: Graph): ReadonlySet<string> {
  const loaded = new Set<string>()
  const load = (id: string) => {
    if (loaded.has(id)) return
    loaded.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) load(imported)
  }
  for (const id of entries) load(id)
  return loaded
}
