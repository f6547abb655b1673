import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { faultsInFile, faultsInFolder } from './pack-check.ts'
import type { PackFile } from './pack-schema.ts'
import { faultsInOwnPacks, findPackFile, lessonTypeCodes, loadPack, readPacksFrom } from './packs.ts'

const PACKS = join(import.meta.dirname, '../../../packs')
const textOf = (country: string) => readFileSync(join(PACKS, `${country}.json`), 'utf8')
const TYPES = lessonTypeCodes()

it("the product's own packs have no faults", () => {
  expect(faultsInOwnPacks()).toEqual([])
})

/** Returns the faults of the German pack after a change. */
function faultsAfter(change: (pack: PackFile) => void): readonly string[] {
  const pack: PackFile = JSON.parse(textOf('DE'))
  change(pack)
  return faultsInFile('DE.json', JSON.stringify(pack), TYPES)
}

describe('a pack is refused', () => {
  it.each<[string, (pack: PackFile) => void, string]>([
    ['with an unknown field', (pack) => Object.assign(pack, { color: 'red' }), '/color is unknown'],
    ['without a law', (pack) => Reflect.deleteProperty(pack, 'law'), "/ must have required property 'law'"],
    [
      'with a figure that is no number',
      (pack) => Object.assign(pack.templates[0] ?? {}, { min_age: '15' }),
      '/templates/0/min_age must be integer,null',
    ],
    [
      'with a day that does not exist',
      (pack) => Object.assign(pack.templates[0] ?? {}, { valid_from: '2027-02-30' }),
      '/templates/0/valid_from must match format "local-date"',
    ],
    [
      'with a lesson type that there is not',
      (pack) => Object.assign(pack.templates[0]?.requirements[0] ?? {}, { lesson_type: 'FLYING' }),
      "/templates/0/requirements/0/lesson_type is none of the country's lesson types",
    ],
    [
      'with an included type that there is not',
      (pack) => Object.assign(pack.templates[0]?.requirements[0] ?? {}, { includes: ['FLYING'] }),
      "/templates/0/requirements/0/includes has none of the country's lesson types",
    ],
    [
      'with a template twice on a day',
      (pack) =>
        pack.templates.splice(1, 0, {
          ...(pack.templates[0] as PackFile['templates'][number]),
          valid_from: '2027-07-01',
        }),
      '/templates/1/code is valid twice on a day',
    ],
    [
      'with dates in the wrong order',
      (pack) => Object.assign(pack.record[0] ?? {}, { valid_to: '2022-05-31' }),
      '/record/0/valid_to must not be before valid_from',
    ],
    [
      'with an exception that is no template',
      (pack) => pack.exams.without_theory_test.push('B99'),
      'names the template B99, which the pack does not have',
    ],
    ['of another country', (pack) => Object.assign(pack, { country: 'AT' }), '/country must be DE'],
  ])('%s', (_, change, fault) => {
    expect(faultsAfter(change)).toEqual([fault])
  })

  it('as text that is no JSON, or under the name of no known country', () => {
    expect(faultsInFile('DE.json', '{', TYPES)).toEqual([expect.stringMatching(/^is no JSON: /)])
    expect(faultsInFile('XX.json', textOf('DE'), TYPES)).toEqual([
      'the name must be that of a country with texts: AT, CH, DE, FR, GB, NL, PL',
    ])
  })
})

describe('a folder of packs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packs-'))
  afterEach(() => readPacksFrom(undefined))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('must exist and have a pack', () => {
    expect(faultsInFolder(join(folder, 'none'), TYPES)).toEqual([`${join(folder, 'none')} is no folder`])
    expect(faultsInFolder(folder, TYPES)).toEqual([`${folder} has no pack, such as DE.json`])
  })

  it('takes the place of the pack of its country and leaves the others', () => {
    const pack: PackFile = JSON.parse(textOf('DE'))
    writeFileSync(join(folder, 'DE.json'), JSON.stringify({ ...pack, unit_minutes: 44 }))
    readPacksFrom(folder)
    expect([loadPack('DE', 'de').unit_minutes, loadPack('AT', 'de').unit_minutes]).toEqual([44, 50])
    readPacksFrom(undefined)
    expect(findPackFile('DE')?.unit_minutes).toBe(45)
  })
})
