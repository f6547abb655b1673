import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { roleChecks } from './role-checks.ts'
import { declarationAround, type Mutation, parse, type Source } from './source.ts'
import { tenantPredicates } from './tenant-predicates.ts'

export const SRC = join(import.meta.dirname, '../../src')

/** The app is in the browser, tests are no product, and a migration is of all schools. */
const LEFT_OUT = /^web\/|^db\/migrations\/|\.test(-support)?\.ts$/

/** A mutation with a name that stays when lines move: file, declaration, and what is there. */
export type Mutant = Mutation & { readonly key: string; readonly path: string }

/** All mutants of the product. */
export function allMutants(): readonly Mutant[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !LEFT_OUT.test(path))
    .sort()
    .flatMap((path) => mutantsOf(path, readFileSync(join(SRC, path), 'utf8')))
}

/** The mutants of a file, in the order of the text. `path` is relative to `src`. */
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

/** The text with all its mutations in it, none of which does anything until it is switched on. */
export function switched(text: string, mutants: readonly Mutant[]): string {
  const inserted = mutants.flatMap(({ key, start, end, before, after }) => [
    { at: start, isEnd: 0, text: before(`globalThis.isMutated?.(${JSON.stringify(key)})`) },
    { at: end, isEnd: 1, text: after },
  ])
  // From the end of the text, so that places stay; what ends where another begins ends first.
  inserted.sort((a, b) => b.at - a.at || a.isEnd - b.isEnd)
  let mutated = text
  for (const { at, text } of inserted) mutated = mutated.slice(0, at) + text + mutated.slice(at)
  return mutated
}
