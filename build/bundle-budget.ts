import { brotliCompressSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

type Budget = {
  /** The modules, by the end of their path, whose chunks and their imports make up the first load. */
  readonly modules: readonly string[]
  /** The limits in kilobytes, compressed with Brotli as served. */
  readonly scripts: number
  readonly styles: number
}

type File = { readonly name: string; readonly content: string | Uint8Array }

/** Fails the build if the compressed scripts or styles of the first load exceed their limit. */
export function bundleBudget({ modules, scripts, styles }: Budget): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const loaded = [...loadedBy(modules, chunks)]
      const sheets = new Set(loaded.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
      const weigh = (what: string, files: readonly File[], kilobytes: number) => {
        const sizes = files.map(
          ({ name, content }) => [name, brotliCompressSync(content).length / 1000] as const,
        )
        for (const [name, size] of sizes) this.info(`${size.toFixed(1).padStart(7)} kB  ${name}`)
        const total = sizes.reduce((sum, [, size]) => sum + size, 0)
        const words = `first load: ${total.toFixed(1)} kB of ${what} (Brotli), at most ${kilobytes}`
        if (total > kilobytes) this.error(words)
        this.info(words)
      }
      weigh(
        'scripts',
        loaded.map(({ fileName, code }) => ({ name: fileName, content: code })),
        scripts,
      )
      weigh(
        'styles',
        [...sheets].map((name) => ({ name, content: sheetIn(bundle, name) })),
        styles,
      )
    },
  }
}

function sheetIn(bundle: Rolldown.OutputBundle, name: string): string | Uint8Array {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`no style sheet ${name}`)
  return sheet.source
}

/** Returns the chunks with these modules, named by the end of their path, and all chunks that these import. */
export function loadedBy(
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
    const isIt = (id: string | null) => id?.endsWith(`/src/web/${path}`) ?? false
    // A module that is imported both statically and dynamically has a second chunk, which imports the first.
    const found = chunks.filter(({ moduleIds, facadeModuleId }) => [...moduleIds, facadeModuleId].some(isIt))
    if (found.length === 0) throw new Error(`no chunk holds ${path}`)
    for (const chunk of found) load(chunk)
  }
  return loaded
}
