import { isUtf8 } from 'node:buffer'
import { Problem } from '../contract/problem.ts'

/** Deeper text cast to `jsonb` can wedge the embedded database, and no resource is deeper than four. */
const DEEPEST = 32
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

/** The value of a JSON body. Throws `malformed_json` also for what `JSON.parse` lets pass: a repeated key, bad UTF-8. */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw malformed('it is not UTF-8')
  const text = body.toString('utf8')
  const value = parse(text)
  refuseDepthAndRepeatedKeys(text)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('it cannot be parsed')
  }
}

/** Walks over the tokens of text that is known to be JSON. In an object every other string is a key. */
function refuseDepthAndRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = []
  let expectsKey = false
  for (const [token] of text.matchAll(TOKENS)) {
    const keys = open.at(-1)
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined)
      if (open.length > DEEPEST) throw malformed(`it is nested deeper than ${DEEPEST}`)
      expectsKey = token === '{'
    } else if (token === '}' || token === ']') {
      open.pop()
      expectsKey = false
    } else if (token === ',') {
      expectsKey = keys !== undefined
    } else if (expectsKey && keys) {
      const key: string = JSON.parse(token)
      if (keys.has(key) || key === '__proto__')
        throw malformed(`the key ${JSON.stringify(key.slice(0, 50))} is repeated or reserved`)
      keys.add(key)
      expectsKey = false
    }
  }
}

function malformed(reason: string): Problem {
  return new Problem('malformed_json', {
    params: { reason },
    errors: [{ pointer: '', code: 'malformed_json', detail: `The body is not JSON: ${reason}.` }],
  })
}
