import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

type Budget = {
  /** Modules, by the end of their path, whose chunks and all that these import make up the first load. */
  readonly modules: readonly string[]
  readonly kilobytes: number
}

/** Fails the build when the JavaScript of the first load, compressed, is larger than it may be. */
export function bundleBudget({ modules, kilobytes }: Budget): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const sizes = [...loadedBy(modules, chunks)].map(
        ({ fileName, code }) => [fileName, gzipSync(code).length / 1000] as const,
      )
      const total = sizes.reduce((sum, [, size]) => sum + size, 0)
      for (const [fileName, size] of sizes) this.info(`${size.toFixed(1).padStart(7)} kB  ${fileName}`)
      const words = `first load: ${total.toFixed(1)} kB of JavaScript (gzip), at most ${kilobytes}`
      if (total > kilobytes) this.error(words)
      this.info(words)
    },
  }
}

function loadedBy(
  modules: readonly string[],
  chunks: readonly Rolldown.OutputChunk[],
): ReadonlySet<Rolldown.OutputChunk> {
  const loaded = new Set<Rolldown.OutputChunk>()
  const load = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || loaded.has(chunk)) return
    loaded.add(chunk)
    for (const fileName of chunk.imports) load(chunks.find((other) => other.fileName === fileName))
  }
  for (const path of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/web/${path}`)))
    if (!chunk) throw new Error(`no chunk holds ${path}`)
    load(chunk)
  }
  return loaded
}
