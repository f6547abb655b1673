import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../contract/problem.ts'
import { parseJsonBody } from './json-body.ts'

const aValue = fc.jsonValue({ maxDepth: 5, noUnicodeString: false })
const aKey = fc.string({ unit: 'grapheme', maxLength: 5 }).filter((key) => key !== '__proto__')

function refusalOf(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text))
  } catch (error) {
    return error instanceof Problem ? error.params?.reason : error
  }
}

describe('the JSON body parser', () => {
  it('returns the same value as JSON.parse, with any whitespace', () => {
    fc.assert(
      fc.property(aValue, fc.constantFrom(undefined, '\t', ' \n'), (value, space) => {
        const text = JSON.stringify(value, null, space)
        fc.pre(!text.includes('__proto__'))
        expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('rejects a repeated key at any depth, even if it is escaped (S72)', () => {
    fc.assert(
      fc.property(aKey, aValue, aValue, fc.nat(4), (key, one, other, depth) => {
        const escaped = [...key].map((letter) => escapedOf(letter)).join('')
        const object = `{${JSON.stringify(key)}:${JSON.stringify(one)},"${escaped}":${JSON.stringify(other)}}`
        const text = `${'[{"a":'.repeat(depth)}${object}${',"b":2}]'.repeat(depth)}`.replace(
          /\},"b"/g,
          '},"b"',
        )
        fc.pre(!text.includes('__proto__'))
        expect(refusalOf(text)).toMatch(/ is repeated or reserved$/)
      }),
    )
  })

  it('accepts the same key in different objects', () => {
    expect(refusalOf('[{"a":1},{"a":{"a":1}},{"b":[{"a":1}],"a":2}]')).toEqual([
      { a: 1 },
      { a: { a: 1 } },
      { b: [{ a: 1 }], a: 2 },
    ])
  })

  it('ignores brackets and quotes inside strings', () => {
    const text = JSON.stringify({ a: '{"b":[', '"},{"': '\\', c: '\\"', '[': ']' })
    expect(refusalOf(text)).toEqual(JSON.parse(text))
  })
})

function escapedOf(letter: string): string {
  return letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
