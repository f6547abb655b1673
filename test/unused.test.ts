import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { de } from '../src/web/ui/i18n/de.ts'
import { deLater } from '../src/web/ui/i18n/de-later.ts'
import { en } from '../src/web/ui/i18n/en.ts'
import { enLater } from '../src/web/ui/i18n/en-later.ts'

const SRC = join(import.meta.dirname, '../src')

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
const sources = files
  .filter((path) => /\.tsx?$/.test(path) && !/\.test(-support)?\.ts$|^web\/ui\/i18n\//.test(path))
  .map(textOf)
const sheets = files.filter((path) => path.endsWith('.module.css'))

describe('the web app', () => {
  it.each(
    Object.entries({
      de: {
        ...de,
        ...deLater,
        field: { ...de.field, ...deLater.field },
        request: { ...de.request, ...deLater.request },
      },
      en: {
        ...en,
        ...enLater,
        field: { ...en.field, ...enLater.field },
        request: { ...en.request, ...enLater.request },
      },
    }),
  )('uses every text in %s', (_, texts) => {
    const code = sources.join('\n')
    const literals = new Set(Array.from(code.matchAll(/'(\w+(?:\.\w+)+)'/g), ([, key]) => key))
    const templates = Array.from(code.matchAll(/\bt\(`([^`]+)`/g), ([, key = '']) => patternOf(key))
    const words = new Set(code.match(/(?<=')[\w-]+(?=')/g))
    // A template's gap may be filled by a string elsewhere, such as a status or a code.
    const isFilled = (key: string) =>
      templates.some((pattern) => {
        const gap = pattern.exec(key)?.[1]
        return gap !== undefined && words.has(gap)
      })
    const keys = keysOf(texts)
    expect(keys.length).toBeGreaterThan(200)
    expect(keys.filter((key) => !literals.has(key) && !isFilled(key))).toEqual([])
  })

  it.each(sheets)('uses every class in %s', (path) => {
    const imported = new RegExp(`import (\\w+) from '[^']*/${basename(path)}'`)
    const used = sources.flatMap((text) => {
      const [, name] = imported.exec(text) ?? []
      return name === undefined
        ? []
        : Array.from(text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')), ([, one]) => one)
    })
    expect(classesIn(textOf(path)).filter((name) => !used.includes(name))).toEqual([])
  })
})

function textOf(path: string): string {
  return readFileSync(join(SRC, path), 'utf8')
}

/** Returns the keys of the texts. Plural forms are one key. */
function keysOf(texts: object, prefix = ''): readonly string[] {
  const keys = Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [prefix + name.replace(/_(one|other)$/, '')]
      : keysOf(value, `${prefix}${name}.`),
  )
  return [...new Set(keys)]
}

/** Returns a pattern for a template such as `lesson.${status}`. Its group is the gap. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{.*?\}(?=[^}]*$)/, '([\\w-]+)')}$`)
}

/** Returns the module's own classes, without those of the calendar, which it marks as global. */
function classesIn(css: string): readonly string[] {
  const own = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/:global\([^{,]*\)/g, '')
    .replace(/\{[^{}]*\}/g, '{}')
  return [...new Set(Array.from(own.matchAll(/\.([a-z]\w*)/gi), ([, name = '']) => name))]
}
