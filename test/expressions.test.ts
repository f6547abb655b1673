// @module-tag long: takes ten seconds of a processor, and `npm run check` runs it with the other unit tests
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSync } from 'recheck'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

type Expression = { readonly path: string; readonly pattern: string; readonly flags: string }

/** Expressions with quadratic time, and the bound on their input. */
const BOUNDED: Readonly<Record<string, string>> = {
  '(?<=\\d\\s*)\\(0\\)': 'a phone number of 50 characters, or what a person types into a search',
  '(?<=[\\d)])[\\s()/.\\p{Dash}]+(?=[\\d(])': 'what a person types into a search, in the own browser',
  '<([^>]*)>; rel="next"': 'a header that this service has written',
  '\\s*–\\s*': 'a sentence of the app',
}

/** The files that build expressions from text of the program: from another expression, lists of words or route addresses. */
const MADE: readonly string[] = [
  'cli/tenant.ts',
  'csv/writer.ts',
  'domain/relative-date.ts',
  'http/responses/unknown-routes.ts',
]

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test(-support)?\.ts$/.test(path))
  .toSorted()

const made: string[] = []
const expressions = files.flatMap(expressionsIn)

/** Enough effort to find the expressions known to be slow. The result does not depend on the clock. */
const EFFORT = {
  incubationLimit: 5_000,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 50_000_000,
  attackTimeout: null,
  maxIteration: 3,
  timeout: 100_000,
}

it('every regular expression takes linear time or reads bounded input (S77)', { timeout: 600_000 }, () => {
  // The other backends are faster, but not available on every machine.
  process.env.RECHECK_BACKEND = 'pure'
  expect(expressions.length).toBeGreaterThan(80)
  const slow = expressions.filter(({ pattern, flags }) => checkSync(pattern, flags, EFFORT).status !== 'safe')
  expect(slow.filter(({ pattern }) => !(pattern in BOUNDED))).toEqual([])
  // The check is effective if it finds the expressions known to be slow.
  expect(new Set(slow.map(({ pattern }) => pattern))).toEqual(new Set(Object.keys(BOUNDED)))
  expect(checkSync('^(a+)+$', '', EFFORT).status).toBe('vulnerable')
})

it('no regular expression is built from client input (S77)', () => {
  expect([...new Set(made)]).toEqual(MADE)
})

/** Returns the expressions of a file and the patterns of its schemas. Adds a file to `made` if it builds one at run time. */
function expressionsIn(path: string): readonly Expression[] {
  const found: Expression[] = []
  const add = (pattern: string, flags: string) => found.push({ path, pattern, flags })
  const noteMade = ({ callee }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') made.push(path)
  }
  new Visitor({
    Literal: (literal) => {
      if ('regex' in literal && literal.regex) add(literal.regex.pattern, literal.regex.flags)
    },
    Property: ({ key, value }) => {
      const isPattern = key.type === 'Identifier' && key.name === 'pattern'
      if (isPattern && value.type === 'Literal' && typeof value.value === 'string') add(value.value, 'u')
    },
    VariableDeclarator: ({ id, init }) => {
      const isPattern = id.type === 'Identifier' && /^(LOCALE|.*PATTERN)$/.test(id.name)
      if (isPattern && init?.type === 'Literal' && typeof init.value === 'string') add(init.value, 'u')
    },
    NewExpression: noteMade,
    CallExpression: noteMade,
  }).visit(parseSync(path, readFileSync(join(SRC, path), 'utf8')).program)
  return found
}
