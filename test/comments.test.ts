import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** The words that make a sentence begin with a clause, so that its subject comes last. */
const CLAUSE =
  /^(?:What|Whatever|Who|Whoever|Whose|Whom|Of|All that|That|Those|So|Where|How|In which|Under which|To whom|By whom|By what|From where|Nothing where)\b/

/** The share of comments that may begin so: a question or a name of something can. */
const TOLERATED = 0.02

it.each(['src', 'bench'])('comments of %s begin with a verb, a noun or "Whether"', (folder) => {
  const comments = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|css)$/.test(path))
    .flatMap((path) => openingsIn(join(folder, path)))
  expect(comments.length).toBeGreaterThan(100)
  const clauses = comments.filter(({ text }) => CLAUSE.test(text))
  const share = clauses.length / comments.length
  expect(share, clauses.map(({ at, text }) => `${at} ${text}`).join('\n')).toBeLessThan(TOLERATED)
})

/** Returns the first line of each comment, and where it is. */
function openingsIn(path: string): readonly { readonly at: string; readonly text: string }[] {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const text = /^\s*(?:\/\*\*?|\/\/)\s*(.*)$/.exec(line)?.[1] ?? ''
    const isLater = /^\s*\/\//.test(line) && /^\s*\/\//.test(lines[index - 1] ?? '')
    const first = text === '' ? (/^\s*\*\s+(.*)$/.exec(lines[index + 1] ?? '')?.[1] ?? '') : text
    const isComment = /^\s*(?:\/\*\*?|\/\/)/.test(line) && !isLater
    return isComment ? [{ at: `${path}:${index + 1}`, text: first }] : []
  })
}
