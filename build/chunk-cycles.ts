import type { Plugin, Rolldown } from 'vite'

/** Fails the build if chunks import each other: it would be chance which one runs first and finds the other unfinished. */
export function noChunkCycles(): Plugin {
  return {
    name: 'no-chunk-cycles',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const cycle = cycleAmong(new Map(chunks.map((chunk) => [chunk.fileName, chunk])))
      if (cycle) this.error(`chunks wait for each other: ${cycle.join(' → ')}`)
    },
  }
}

function cycleAmong(chunks: ReadonlyMap<string, Rolldown.OutputChunk>): readonly string[] | undefined {
  const isDone = new Set<string>()
  const walk = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (isDone.has(name)) return undefined
    const found = chunks
      .get(name)
      ?.imports.map((next) => walk(next, [...path, name]))
      .find(Boolean)
    isDone.add(name)
    return found
  }
  return [...chunks.keys()].map((name) => walk(name, [])).find(Boolean)
}
