import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** The words that make a sentence begin with a clause, so that its subject comes last. */
const CLAUSE =
  /^(?:What|Whatever|Who|Whoever|Whose|Whom|Of|All that|That|Those|So|Where|How|In which|Under which|To whom|By whom|By what|From where|Nothing where)\b/

/** The share of comments that may begin so: a question or a name of something can. */
const TOLERATED = 0.005

const WITH_COMMENTS = ['src', 'bench', 'test', 'build']

it.each(WITH_COMMENTS)('comments in %s begin with a verb, a noun or "Whether"', (folder) => {
  const comments = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|css)$/.test(path))
    .flatMap((path) => openingsIn(join(folder, path)))
  expect(comments.length).toBeGreaterThan(5)
  const clauses = comments.filter(({ text }) => CLAUSE.test(text))
  const share = clauses.length / comments.length
  expect(share, clauses.map(({ at, text }) => `${at} ${text}`).join('\n')).toBeLessThan(TOLERATED)
})

/** A clause in the place of a noun: "what is stored", "to whom it belongs", "who asks". */
const FREE_RELATIVE =
  /(?:^|[.;:,(] |\b(?:of|for|to|from|by|with|than|as|and|or|is|are|was|were|that|on|in|at|all|but|if|says?|tells?|knows?|reads?|takes?|finds?|returns?|gives?|reports?|shows?|has|have|about|beside|until|where) )(?:who|whom|whoever|what|whatever)\b/i

it.each(['src', 'bench'])('comments in %s avoid free relative clauses', (folder) => {
  const lines = sourcesOf(folder).flatMap(({ path, text }) => commentLinesIn(path, text))
  const clauses = lines.filter(({ text }) => FREE_RELATIVE.test(text))
  expect(
    clauses.length / lines.length,
    clauses.map(({ at, text }) => `${at} ${text}`).join('\n'),
  ).toBeLessThan(0.01)
})

/** The greatest share of lines that are comments: rules, logins and files of other programs have to be explained. */
const MAX = 0.05
const MAX_OF_RULES = 0.1

const RULES = ['src/domain', 'src/auth', 'src/sso', 'src/csv']
const FOLDERS = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/${name}`)
const SHARES = [...FOLDERS, 'bench'].map((folder) => ({
  folder,
  most: RULES.includes(folder) ? MAX_OF_RULES : MAX,
}))

it.each(SHARES)('comments make up less than $most of the lines in $folder', ({ folder, most }) => {
  const sources = sourcesOf(folder).filter(({ path }) => !/\.test(?:-support)?\.tsx?$/.test(path))
  const lines = sources.flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))
  const comments = sources.flatMap(({ path, text }) => commentLinesIn(path, text))
  expect(comments.length / lines.length).toBeLessThan(most)
})

function sourcesOf(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|css)$/.test(path))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(ROOT, folder, path), 'utf8') }))
}

/** Returns the lines that are nothing but comment, without its marks, and where they are. */
function commentLinesIn(
  path: string,
  text: string,
): readonly { readonly at: string; readonly text: string }[] {
  let isInside = false
  return text.split('\n').flatMap((line, index) => {
    const isOpening = /^\s*\{?\/\*/.test(line)
    const isComment = isInside || isOpening || /^\s*\/\//.test(line)
    if (isInside || isOpening) isInside = !line.includes('*/')
    const content = line.replace(/^\s*(?:\{?\/\*\*?|\*\/|\*|\/\/)\s*/, '')
    return isComment ? [{ at: `${path}:${index + 1}`, text: content }] : []
  })
}

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
