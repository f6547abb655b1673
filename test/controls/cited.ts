import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { ROOT } from '../support/process.ts'

/** A test, or a group of them, whose title cites numbers: `… (S12, F3)`. */
export type CitingTest = {
  readonly path: string
  readonly title: string
  readonly numbers: readonly string[]
}

const CITATION = /\((?:[SFIC]\d+(?:, |(?=\))))+\)/
const NUMBER = /\b[SFIC]\d{1,3}\b/g
const TEST_FILE = /\.test\.ts$/

/** The tests that cite a number, by path and then in their order, with the title as a person reads it. */
export function citingTests(): readonly CitingTest[] {
  return [...testsBelow('test'), ...testsBelow('src')].flatMap((path) =>
    titlesIn(path).flatMap((title) => {
      const [citation] = CITATION.exec(title) ?? []
      return citation ? [{ path, title: inWords(title), numbers: citation.match(NUMBER) ?? [] }] : []
    }),
  )
}

/** Numbers that a text cites: documents, and whatever else is given. */
export function numbersIn(text: string): readonly string[] {
  return text.match(NUMBER) ?? []
}

function testsBelow(folder: string): readonly string[] {
  const inside = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return inside
    .filter((path) => TEST_FILE.test(path))
    .map((path) => `${folder}/${path}`)
    .toSorted()
}

/** The titles of `it`, `test` and `describe`, as they stand in the source. */
function titlesIn(path: string): readonly string[] {
  const source = readFileSync(join(ROOT, path), 'utf8')
  const titles: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (!/^(it|test|describe)\b/.test(source.slice(callee.start, callee.end))) return
      if (first?.type === 'Literal' && typeof first.value === 'string') titles.push(first.value)
      if (first?.type === 'TemplateLiteral') titles.push(source.slice(first.start + 1, first.end - 1))
    },
  }).visit(parseSync(path, source).program)
  return titles
}

/** Without the numbers and the seed, and with a gap where a value will stand. */
function inWords(title: string): string {
  return title
    .replace(CITATION, '')
    .replace(/\(RACE_SEED=\$\{SEED\}\)/, '')
    .replace(/\$\{[^}]*\}|%\.\d+s|%[sjiod]|\$\w+/g, '…')
    .replace(/ +/g, ' ')
    .trim()
}
