import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAY_IMPORT, WEB_MAY_IMPORT } from './allowed-imports.ts'

const SRC = join(import.meta.dirname, '../src')

const IMPORT = /^(?:import|export)\b[^'"]*from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm
const LONGEST_FILE = 400

/** The packages of the domain: dark hours, and the lengths of phone numbers. */
const COMPUTING = ['suncalc', 'libphonenumber-js/min']

type Source = {
  readonly path: string
  readonly part: string
  readonly text: string
  readonly imports: readonly string[]
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path): Source => {
    const text = readFileSync(join(SRC, path), 'utf8')
    const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    return { path, part: partOf(path), text, imports }
  })

const product = files.filter(({ path }) => !/\.(test|test-support)\.ts$/.test(path))

describe('the layers', () => {
  it('are exactly those listed in MAY_IMPORT', () => {
    expect(new Set(product.map(({ part }) => part))).toEqual(new Set(Object.keys(MAY_IMPORT)))
  })

  it('import only from the layers that MAY_IMPORT allows', () => {
    for (const { path, part, imports } of product) {
      const foreign = imports
        // The data of packs belongs to no layer.
        .filter((target) => target.startsWith('.') && !/\/packs\/[\w/-]+\.json$/.test(target))
        .map((target) => partOf(relative(SRC, normalize(join(SRC, dirname(path), target)))))
        .filter((target) => target !== part && !MAY_IMPORT[part]?.includes(target))
      expect(foreign, path).toEqual([])
    }
  })

  it('have no circular imports, not even of types', () => {
    const circles = product.flatMap(({ path }) => {
      const reached = new Set<string>()
      for (const next of importedBy(path)) reachFrom(next, reached)
      return reached.has(path) ? [path] : []
    })
    expect(circles).toEqual([])
  })

  it.each(['web', 'booking'])('have no circular imports between the folders of %s', (layer) => {
    const roomOf = (path: string) => new RegExp(`^${layer}/([\\w-]+)/.*\\.tsx?$`).exec(path)?.[1]
    const reach = (from: string, reached: Set<string>): ReadonlySet<string> => {
      for (const { path } of product.filter((file) => roomOf(file.path) === from)) {
        const rooms = importedBy(path).flatMap((target) => roomOf(target) ?? [])
        for (const room of rooms.filter((one) => one !== from && !reached.has(one))) {
          reached.add(room)
          reach(room, reached)
        }
      }
      return reached
    }
    const rooms = new Set(product.flatMap(({ path }) => roomOf(path) ?? []))
    expect(rooms.size).toBeGreaterThan(5)
    expect([...rooms].filter((room) => reach(room, new Set()).has(room))).toEqual([])
  })

  it('keep the domain free of clocks, randomness, environment and packages other than two that compute', () => {
    for (const { path, imports, text } of product.filter(({ part }) => part === 'domain')) {
      expect(
        imports.filter((target) => !target.startsWith('./') && !COMPUTING.includes(target)),
        path,
      ).toEqual([])
      expect(text, path).not.toMatch(/Date\.now|new Date\(\)|Math\.random|process\.|console\./)
    }
  })

  it('let the web app import only types from the contract', () => {
    for (const { path, text } of product.filter(({ part }) => part === 'web')) {
      const imports = text.match(/^import\b[^'"]*from\s+'[^']*\/contract\/[^']+'/gm) ?? []
      expect(
        imports.filter((line) => !line.startsWith('import type ')),
        path,
      ).toEqual([])
    }
  })

  it('restrict value imports between web folders to those in WEB_MAY_IMPORT', () => {
    for (const { path, text } of product.filter((file) => /^web\/[\w-]+\//.test(file.path))) {
      const folder = folderOf(path)
      const foreign = [...text.matchAll(/^import (?!type )[^'"]*'(\.[^']+)'/gm)]
        .map(([, target = '']) => normalize(join(dirname(path), target)))
        .filter((target) => /^web\/[\w-]+\//.test(target))
        .map(folderOf)
        .filter((target) => target !== folder && !WEB_MAY_IMPORT[folder]?.includes(target))
      expect(foreign, path).toEqual([])
    }
  })

  it('confine Mantine to web/ui/dialogs, which the board does not load statically', () => {
    const web = product.filter(({ path }) => path.startsWith('web/'))
    const users = web.filter(({ imports }) => imports.some((target) => target.startsWith('@mantine/')))
    expect(new Set(users.map(({ path }) => dirname(path)))).toEqual(new Set(['web/ui/dialogs']))
    const sheets = readdirSync(join(SRC, 'web'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.css') && !path.startsWith('ui/dialogs/'))
      .filter((path) => /@mantine\/|--mantine-|\.mantine-/.test(readFileSync(join(SRC, 'web', path), 'utf8')))
    expect(sheets).toEqual([])
    const waited = [...loadedWith('web/main.tsx'), ...loadedWith('web/board/board-page.tsx')]
    expect(waited).toContain('web/ui/toaster.tsx')
    expect(waited.filter((path) => path.startsWith('web/ui/dialogs/'))).toEqual([])
  })

  it('import only packages listed in dependencies, except in the web app', () => {
    const { dependencies } = JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8'))
    const packages = product
      .filter(({ part }) => part !== 'web')
      .flatMap(({ imports }) => imports.filter((target) => !/^(?:\.|node:)/.test(target)))
      .map((target) => target.split('/', target.startsWith('@') ? 2 : 1).join('/'))
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining([...new Set(packages)]))
  })

  it('read process.env only in the command line', () => {
    const readers = product.filter(({ text }) => text.includes('process.env')).map(({ part }) => part)
    expect(new Set(readers)).toEqual(new Set(['cli']))
  })
})

describe('the tests', () => {
  const ROOT = join(SRC, '..')
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `test/${path}`, text: readFileSync(join(ROOT, 'test', path), 'utf8') }))

  it('import nothing from the bench', () => {
    const importing = tests.filter(({ text }) => /from '(?:\.\.\/)+bench\//.test(text))
    expect(importing.map(({ path }) => path)).toEqual([])
  })

  it(`have at most ${LONGEST_FILE} lines per file`, () => {
    const long = tests.filter(({ text }) => text.split('\n').length > LONGEST_FILE + 1)
    expect(long.map(({ path }) => path)).toEqual([])
  })
})

describe('the size of the code', () => {
  it(`is at most ${LONGEST_FILE} lines per file`, () => {
    const long = files.filter(({ text }) => text.split('\n').length > LONGEST_FILE + 1)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  it('is at most 15 lines per route handler', () => {
    for (const { path, text } of product.filter((file) => file.path.startsWith('http/routes/'))) {
      for (const handler of text.matchAll(
        /^ {4}async \([^)]*\)(?:: [^=]+)? =>(?: \{\n([\s\S]*?)^ {4}\},?$)?/gm,
      )) {
        expect((handler[1] ?? '').split('\n').length - 1, path).toBeLessThanOrEqual(15)
      }
    }
  })
})

/** Returns the folder of a file within the web app. */
function folderOf(path: string): string {
  return dirname(path).slice('web/'.length)
}

function partOf(path: string): string {
  return path.split('/')[0] ?? ''
}

/** Returns a file and all modules that are loaded with it. */
function loadedWith(path: string, loaded = new Set<string>()): ReadonlySet<string> {
  const text = product.find((file) => file.path === path)?.text
  if (text === undefined || loaded.has(path)) return loaded
  loaded.add(path)
  for (const [, target = ''] of text.matchAll(/^import (?!type )(?:[^'"]*from )?'(\.[^']+)'/gm)) {
    loadedWith(normalize(join(dirname(path), target)), loaded)
  }
  return loaded
}

function importedBy(path: string): readonly string[] {
  const imports = product.find((file) => file.path === path)?.imports ?? []
  return imports
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(path), target)))
}

/** Adds a file and all its direct and indirect imports. */
function reachFrom(path: string, reached: Set<string>): void {
  if (reached.has(path)) return
  reached.add(path)
  for (const next of importedBy(path)) reachFrom(next, reached)
}
