import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tablesOf } from '../src/transfer/tables.ts'

const ROOT = join(import.meta.dirname, '..')
const PARTS = ['bench', 'bin', 'build', 'deploy', 'docs', 'packs', 'src', 'test']
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(read('package.json'))

/** The documents that describe the current code. The changelog, which also names removed parts, is not one of them. */
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...listing('docs').filter((path) => path.endsWith('.md')),
].map((path) => ({ path, text: read(path) }))

const files = [...PARTS.flatMap(listing), ...readdirSync(ROOT)]
const sources = files.filter((path) => /\.(tsx?|js|css)$/.test(path)).map(read)
const words = new Set(sources.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []))

describe.each(documents)('$path', ({ path, text }) => {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const inCode = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

  it('names files that exist', () => {
    const named = [...inCode.filter(isPath), ...(path === 'docs/architecture.md' ? pathsOfTrees(text) : [])]
    expect(named.filter((one) => !isFile(one))).toEqual([])
  })

  it('names functions and types that exist', () => {
    const named = inCode.flatMap(
      (code) => /^([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\(.*\))?$/.exec(code)?.[1] ?? [],
    )
    expect(named.filter((one) => !words.has(one) && !(one in globalThis))).toEqual([])
  })

  it('names scripts that exist', () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((one) => !(one in scripts))).toEqual([])
  })

  it('links to files that exist', () => {
    const links = [...prose.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([])
  })
})

describe('docs/decisions', () => {
  const table = read('docs/decisions/README.md')
  const rows = [...table.matchAll(/^\| (?:\[(\d{4})\]\(([^)]+)\)|(\d{4})) \| (.+) \| (.+) \|(.*)\|$/gm)]
  const listed = rows.map(([, number, file, gone, , status = '', successor = '']) => ({
    number: number ?? gone,
    file,
    status,
    successor: successor.trim(),
  }))

  it('has a row for every record and links to no others', () => {
    const records = listing('docs/decisions').filter((path) => /\/\d{4}-/.test(path))
    const named = listed.flatMap(({ file }) => file ?? []).map((file) => `docs/decisions/${file}`)
    expect(named.toSorted()).toEqual(records.toSorted())
  })

  it('names the successor of every removed record and uses each number once', () => {
    const numbers = listed.map(({ number }) => number)
    expect(numbers).toEqual([...new Set(numbers)])
    const lost = listed.filter(({ file, successor }) => file === undefined && successor === '')
    expect(lost).toEqual([])
  })

  it('shows the status that each record states', () => {
    const stated = listed.flatMap(({ file, status }) => {
      if (!file) return []
      const [, own = ''] = /^Date: .* · Status: ([a-z]+)/m.exec(read(`docs/decisions/${file}`)) ?? []
      return own === status ? [] : [{ file, own, status }]
    })
    expect(stated).toEqual([])
  })
})

describe.each(['docs/operations.md', 'deploy/replicas/nginx.conf'])(
  'the nginx configuration in %s',
  (path) => {
    it('does not log paths that contain the secret of a link', () => {
      const secret = new RegExp(/~(\^\S+) 0;/.exec(read(path))?.[1] ?? '$^')
      const routes = listing('src/http/routes').flatMap(
        (file) => read(file).match(/(?<=')\/[^']*:token/g) ?? [],
      )
      const logged = routes.filter((route) => !secret.test(route) && !secret.test(`/api/v1${route}`))
      expect([routes.length > 0, logged]).toEqual([true, []])
    })
  },
)

/** Whether it looks like a file or folder of this repository, not like an address or a setting. */
function isPath(code: string): boolean {
  if (/^[\w-]+(\/[\w.-]+)*\.(tsx?|sql|conf|service|ini|css)$/.test(code)) return true
  return PARTS.some((part) => new RegExp(`^${part}/[\\w./-]*$`).test(code))
}

/** Whether the path exists, in full or relative to a folder of the service or the app: `db/calendars/calendars.ts`. */
function isFile(named: string): boolean {
  const path = named.replace(/\/$/, '')
  return files.some((file) => file === path || file.endsWith(`/${path}`))
}

/** Returns the paths of the drawn trees: folders at the start of a line, and files anywhere. */
function pathsOfTrees(text: string): readonly string[] {
  const trees = [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, tree = '']) => tree)
  return trees
    .flatMap((tree) => tree.match(/^ *[\w/.-]+\/(?= )|[\w.-]+\.tsx?\b/gm) ?? [])
    .map((one) => one.trim())
}

function listing(folder: string): readonly string[] {
  const inside = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return inside.map((path) => `${folder}/${path}`)
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

it('docs/export-format.md names every table of a portable backup', () => {
  const text = read('docs/export-format.md')
  expect(tablesOf({}).filter((table) => !text.includes(`\`${table}\``))).toEqual([])
})
