import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')
const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))

/** Domain types with the part of a `contract` resource that the rules use. */
const PARTS_OF_RESOURCES = ['Closure', 'Holiday', 'Impact', 'Progress', 'Wish']

describe('the source code', () => {
  it('names upper limits MAX, not MOST', () => {
    const limits = paths.flatMap((path) => readFileSync(join(SRC, path), 'utf8').match(/\bMOST_\w+/g) ?? [])
    expect(limits).toEqual([])
  })

  it('exports each type name once, except for domain parts of a resource', () => {
    const declarations = paths
      .filter((path) => !/\.test(?:-support)?\.tsx?$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(SRC, path), 'utf8').matchAll(/^export (?:type|class) +(\w+)/gm)].map(
          ([, name = '']) => name,
        ),
      )
    const repeated = declarations.filter((name, at) => declarations.indexOf(name) !== at)
    expect(repeated.toSorted()).toEqual(PARTS_OF_RESOURCES)
  })
})
