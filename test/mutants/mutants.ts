import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { roleChecks } from './role-checks.ts'
import { declarationAround, type Mutation, parse, type Source } from './source.ts'
import { tenantPredicates } from './tenant-predicates.ts'

export const SRC = join(import.meta.dirname, '../../src')

/** The files without mutants: the app runs in the browser, tests are not shipped, and migrations concern all schools. */
const LEFT_OUT = /^web\/|^db\/migrations\/|\.test(-support)?\.ts$/

/** A mutation with a key that stays the same if lines move: file, declaration and original text. */
export type Mutant = Mutation & { readonly key: string; readonly path: string }

/** Returns all mutants of the product. */
export function allMutants(): readonly Mutant[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !LEFT_OUT.test(path))
    .sort()
    .flatMap((path) => mutantsOf(path, readFileSync(join(SRC, path), 'utf8')))
}

/** Returns the mutants of a file in the order of its text. `path` is relative to `src`. */
export function mutantsOf(path: string, text: string): readonly Mutant[] {
  const source = parse(path, text)
  const found = [...tenantPredicates(source), ...roleChecks(source)].sort((a, b) => a.start - b.start)
  const seen = new Map<string, number>()
  return found.map((mutation) => {
    const name = nameOf(source, mutation)
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return { ...mutation, path, key: times === 1 ? name : `${name} (${times})` }
  })
}

function nameOf(source: Source, { start, end }: Mutation): string {
  const what = source.text.slice(start, end).replace(/\s+/g, ' ')
  return `${source.path} ${declarationAround(source, { start, end })}: ${what}`
}

/** Returns the text with all mutations inserted, each without effect until it is switched on. */
export function switched(text: string, mutants: readonly Mutant[]): string {
  const inserted = mutants.flatMap(({ key, start, end, before, after }) => [
    { at: start, isEnd: 0, text: before(`globalThis.isMutated?.(${JSON.stringify(key)})`) },
    { at: end, isEnd: 1, text: after },
  ])
  // Insert from the end of the text, so that positions stay valid. At the same position an end precedes a start.
  inserted.sort((a, b) => b.at - a.at || a.isEnd - b.isEnd)
  let mutated = text
  for (const { at, text } of inserted) mutated = mutated.slice(0, at) + text + mutated.slice(at)
  return mutated
}
