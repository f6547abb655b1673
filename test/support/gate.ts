/** The tags of tests and test files. Each use has a comment with the reason: see `docs/testing.md`. */
export const TAGS = [
  {
    name: 'promise',
    description: 'Shows a promise of the README or of docs/board.md in a browser or by a command.',
  },
  { name: 'embedded', description: 'Depends on the kind of database: the gate runs it on both.' },
  {
    name: 'embedded_later',
    description:
      'Depends on the kind of database and takes long on the embedded one: the rest runs it there, the gate on PostgreSQL.',
  },
  {
    name: 'rounds',
    description: 'Repeats itself: the gate runs a quarter of its rounds, the rest the others.',
  },
  { name: 'long', description: 'Takes longer than the gate allows for what it adds to shorter tests.' },
] as const

export type Tag = (typeof TAGS)[number]['name']

declare module 'vitest' {
  interface TestTags {
    tags: Tag
  }
}

/**
 * The parts of the tests that a run may take: the gate (`npm test`), the rest that CI runs after it, or all. Only `all` runs on the
 * embedded database what does not depend on the kind of database; every journey and command-line test runs on it anyway.
 */
export type Part = 'gate' | 'rest' | 'all'

/** The tag that a test of a project needs to be in the gate. A project without an entry runs every test that is not long. */
const NEEDED: Readonly<Record<string, Tag>> = { embedded: 'embedded', web: 'promise', cli: 'promise' }

/** The tags that take a test of a project out of the gate. Races are in the gate on PostgreSQL, where they have more orders. */
const LEFT_OUT: Readonly<Record<string, readonly Tag[]>> = { embedded: ['long', 'rounds'] }

/** Returns the part that Vitest's `--mode` names. A run without a mode takes all. */
export function partFor(mode: string): Part {
  return mode === 'gate' || mode === 'rest' ? mode : 'all'
}

/** Returns the expressions that choose the tests of a project, as for Vitest's `--tags-filter`. */
export function tagsFilterFor(project: string, part: Part): string[] {
  const needed = NEEDED[project]
  const isOutside = leftOutOf(project).map((tag) => `!${tag}`)
  const gate = [...(needed ? [needed] : []), ...isOutside].join(' && ')
  const rest = needed === 'embedded' ? '(embedded && long) || embedded_later' : `!(${gate})`
  return { gate: [gate], rest: [`rounds || (${rest})`], all: [] }[part]
}

/** Whether a test of a project belongs to a part. */
export function isInPart(project: string, tags: readonly string[], part: Part): boolean {
  const needed = NEEDED[project]
  const isNeeded = !needed || tags.includes(needed)
  const isInGate = isNeeded && !leftOutOf(project).some((tag) => tags.includes(tag))
  const isInRest = !isInGate && (needed !== 'embedded' || isNeeded || tags.includes('embedded_later'))
  return { gate: isInGate, rest: isInRest || tags.includes('rounds'), all: true }[part]
}

function leftOutOf(project: string): readonly Tag[] {
  return LEFT_OUT[project] ?? ['long']
}
