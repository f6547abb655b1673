import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citingTests, numbersIn } from './controls/cited.ts'
import { ALL_CHAPTERS, CONTROLS_DOCUMENT, controlsDocument } from './controls/document.ts'
import { WITHOUT_TEST } from './controls/exceptions.ts'
import { ROOT } from './support/process.ts'

const defined = ALL_CHAPTERS.flatMap(({ promises }) => Object.keys(promises))
const tests = citingTests()
const cited = new Set(tests.flatMap(({ numbers }) => numbers))

describe('what is promised by number', () => {
  it('is defined once, without a gap', () => {
    for (const [letter, last] of Object.entries({ S: 111, F: 27, I: 16, C: 25 })) {
      const numbers = Array.from({ length: last }, (_, index) => `${letter}${index + 1}`)
      expect(defined.filter((number) => number.startsWith(letter))).toEqual(numbers)
    }
  })

  it('is shown by a test, or has a reason for having none', () => {
    expect(defined.filter((number) => !cited.has(number) && !WITHOUT_TEST[number])).toEqual([])
  })

  it('has no reason where it has a test', () => {
    expect(Object.keys(WITHOUT_TEST).filter((number) => cited.has(number))).toEqual([])
  })

  it('has tests for nearly all of what security promises', () => {
    const ofSecurity = defined.filter((number) => number.startsWith('S'))
    expect(ofSecurity.filter((number) => cited.has(number)).length).toBeGreaterThanOrEqual(98)
  })

  it('is all that tests cite', () => {
    const unknown = tests.filter(({ numbers }) => numbers.some((number) => !defined.includes(number)))
    expect(unknown).toEqual([])
  })

  it('is all that documents cite', () => {
    const paths = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `docs/${path}`)
    const unknown = [...paths, 'README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].flatMap(
      (path) =>
        numbersIn(readFileSync(join(ROOT, path), 'utf8'))
          .filter((number) => !defined.includes(number))
          .map((number) => `${path}: ${number}`),
    )
    expect(unknown).toEqual([])
  })

  it('is listed as the tests now show it: `npm run controls` makes the page anew', () => {
    expect(readFileSync(join(ROOT, CONTROLS_DOCUMENT), 'utf8')).toBe(controlsDocument())
  })
})
