import { shortest, wordsIn } from '../domain/spelling.ts'
import type { Steps } from '../domain/steps.ts'
import type { ReadCell } from './lines.ts'

export type NameCandidate = { readonly id: string; readonly names: readonly string[] }

/** A lookup of ids by name. */
export type FindByName = (name: string) => readonly string[]

/** Builds a lookup by name, in any spelling and word order. Alternative names count only if no main name matches. */
export function* finder(known: Iterable<NameCandidate>): Steps<FindByName> {
  const byRank: Map<string, string[]>[] = []
  const bySigns = new Map<string, string[]>()
  for (const { id, names } of known) {
    for (const [rank, name] of names.entries()) {
      byRank[rank] ??= new Map()
      put(byRank[rank], nameKeyFor(name), id)
    }
    put(bySigns, signsOf(names[0] ?? ''), id)
    yield
  }
  return (name) => {
    const found = byRank.map((named) => named.get(nameKeyFor(name))).find((some) => some !== undefined)
    return found ?? bySigns.get(signsOf(name)) ?? []
  }
}

function put(groups: Map<string, string[]>, key: string, id: string): void {
  const group = groups.get(key)
  if (group) group.push(id)
  else groups.set(key, [id])
}

/** Returns the id if exactly one was found, or else a fault. */
export function chosen(field: string, kind: string, [value, another]: readonly string[]): ReadCell {
  if (value === undefined)
    return { field, fault: { code: 'unknown', detail: `The school has no such ${kind}.` } }
  if (another === undefined) return { field, value }
  return { field, fault: { code: 'ambiguous', detail: `The school has several such ${kind}s.` } }
}

export function nameKeyFor(name: string): string {
  return wordsIn(shortest(name)).toSorted().join(' ')
}

function signsOf(name: string): string {
  return shortest(name).replace(/[^\p{L}\p{N}]/gu, '')
}
