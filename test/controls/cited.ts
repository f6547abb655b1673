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

/** Returns the tests that cite a number, by path and position. Each readable title follows those of its groups. */
export function citingTests(): readonly CitingTest[] {
  return [...testsBelow('test'), ...testsBelow('src')].flatMap((path) => {
    const all = titlesIn(path)
    return all.flatMap((one) => {
      const [citation] = CITATION.exec(one.title) ?? []
      if (!citation) return []
      const around = all.filter(({ start, end }) => start < one.start && one.end < end)
      const title = [...around, one].map((each) => inText(each.title)).join(' ')
      return [{ path, title, numbers: citation.match(NUMBER) ?? [] }]
    })
  })
}

/** Returns the numbers that a text contains, in parentheses or not. */
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

/** A test or group, with its position in the source. */
type Titled = { readonly title: string; readonly start: number; readonly end: number }

/** Returns the titles of `it`, `test` and `describe` as written in the source. */
function titlesIn(path: string): readonly Titled[] {
  const source = readFileSync(join(ROOT, path), 'utf8')
  const titles: Titled[] = []
  new Visitor({
    CallExpression({ callee, arguments: [first], start, end }) {
      if (!/^(it|test|describe)\b/.test(source.slice(callee.start, callee.end))) return
      const isText = first?.type === 'Literal' && typeof first.value === 'string'
      if (isText) titles.push({ title: String(first.value), start, end })
      if (first?.type === 'TemplateLiteral')
        titles.push({ title: source.slice(first.start + 1, first.end - 1), start, end })
    },
  }).visit(parseSync(path, source).program)
  return titles
}

/** Removes the numbers and the seed, and replaces placeholders by an ellipsis. */
function inText(title: string): string {
  return title
    .replace(CITATION, '')
    .replace(/\(RACE_SEED=\$\{SEED\}\)/, '')
    .replace(/\$\{[^}]*\}|%\.\d+s|%[sjiod]|\$\w+/g, '…')
    .replace(/ +/g, ' ')
    .trim()
}
