import { isUtf8 } from 'node:buffer'
import { TimeSlicer } from '../../booking/time-slicer.ts'
import { Problem } from '../../contract/problem.ts'
import type { App } from '../service.ts'

/** Deeper JSON cast to `jsonb` can block the embedded database. No resource exceeds four levels. */
const DEEPEST = 32
/** The most keys to compare in an object: with more, it is rejected for unknown fields anyway. */
const MAX_KEYS = 100

/** Longer bodies contain a file as one long string. Hundreds of thousands of keys would take a quarter of a second. */
const LONG = 256 * 1024
const MAX_QUOTES_OF_A_LONG_BODY = 100

/** Longer bodies wait for their turn in the event loop: parsing takes a few milliseconds per megabyte. */
const SHORT = 16 * 1024

/** Accepts only JSON: foreign pages can send `text/plain` and forms without a preflight. */
export function readJsonOnly(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_: unknown, body: Buffer) =>
    readJsonBody(body),
  )
}

/** Parses a JSON body, if any; one long body per cycle of the event loop. Throws as `parseJsonBody` does. */
async function readJsonBody(body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined
  if (body.length > SHORT) await new TimeSlicer().pause()
  return parseJsonBody(body)
}

/** Parses JSON. Throws `malformed_json`, even for repeated keys and invalid UTF-8, which `JSON.parse` accepts. */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw malformed('it is not UTF-8')
  if (body.length > LONG && hasManyQuotes(body)) throw malformed('it is long, and has too many texts')
  const text = body.toString('utf8')
  const value = parse(text)
  refuseDepthAndRepeatedKeys(text)
  return value
}

function hasManyQuotes(body: Buffer): boolean {
  let count = 0
  for (let at = body.indexOf(QUOTE); at !== -1 && count <= MAX_QUOTES_OF_A_LONG_BODY; count += 1)
    at = body.indexOf(QUOTE, at + 1)
  return count > MAX_QUOTES_OF_A_LONG_BODY
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('it cannot be parsed')
  }
}

const [QUOTE, BACKSLASH, COMMA] = [codeOf('"'), codeOf('\\'), codeOf(',')]
const [OBJECT, LIST, END_OF_OBJECT, END_OF_LIST] = [codeOf('{'), codeOf('['), codeOf('}'), codeOf(']')]

function codeOf(mark: string): number {
  return mark.charCodeAt(0)
}

type Open = 'list' | 'object' | Set<string>

/** Scans valid JSON by character, ten times faster than by token. In an object every other string is a key. */
function refuseDepthAndRepeatedKeys(text: string): void {
  const open: Open[] = []
  let expectsKey = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at)
    if (mark === OBJECT || mark === LIST) {
      if (open.length === DEEPEST) throw malformed(`it is nested deeper than ${DEEPEST}`)
      open.push(mark === OBJECT ? 'object' : 'list')
      expectsKey = mark === OBJECT
    } else if (mark === END_OF_OBJECT || mark === END_OF_LIST) {
      open.pop()
      expectsKey = false
    } else if (mark === COMMA) {
      expectsKey = open.at(-1) !== 'list'
    } else if (mark === QUOTE) {
      const end = endOfString(text, at)
      if (expectsKey) addKey(open, text.slice(at + 1, end))
      expectsKey = false
      at = end
    }
  }
}

/** Returns the position of the quotation mark that ends a string: the next one that is not escaped. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}

function addKey(open: Open[], written: string): void {
  const key: string = written.includes('\\') ? JSON.parse(`"${written}"`) : written
  const known = open.at(-1)
  const keys = known instanceof Set ? known : new Set<string>()
  if (keys.has(key) || key === '__proto__')
    throw malformed(`the key ${JSON.stringify(key.slice(0, 50))} is repeated or reserved`)
  if (keys.size < MAX_KEYS) keys.add(key)
  open[open.length - 1] = keys
}

function malformed(reason: string): Problem {
  return new Problem('malformed_json', {
    params: { reason },
    errors: [{ pointer: '', code: 'malformed_json', detail: `The body is not JSON: ${reason}.` }],
  })
}
