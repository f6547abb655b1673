import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PACK_COUNTRIES, PACK_LANGUAGES } from '../../domain/pack-languages.ts'
import { countries, loadPack } from './packs.ts'

function templateOf(country: string, code: string) {
  const found = loadPack(country, 'en').templates.find((template) => template.code === code)
  if (!found) throw new Error(`${country} has no template ${code}`)
  return found
}

function codesOf(entries: readonly { readonly code: string }[]) {
  return entries.map(({ code }) => code)
}

it('each lesson type has names in exactly the supported languages', () => {
  const path = new URL('../../../packs/lesson-types.json', import.meta.url)
  const types: { names: object }[] = JSON.parse(readFileSync(path, 'utf8'))
  for (const { names } of types) expect(Object.keys(names)).toEqual(PACK_LANGUAGES)
})

describe('the known countries', () => {
  it('are exactly seven, without lesson-types.json', () => {
    expect(countries()).toEqual(PACK_COUNTRIES)
    expect(PACK_COUNTRIES).toHaveLength(7)
  })

  it.each(['XX', 'de', '', '../package', 'lesson-types'])(
    'are listed in the error for the unknown country %j',
    (country) => {
      expect(() => loadPack(country, 'en')).toThrow(
        `There is no pack for the country "${country}"; known are AT, CH, DE, FR, GB, NL, PL.`,
      )
    },
  )
})

describe.each(countries())('the pack of %s', (country) => {
  const pack = loadPack(country, 'en')

  it('carries its own country code', () => {
    expect(pack.country).toBe(country)
  })

  it('has unique codes', () => {
    for (const codes of [codesOf(pack.lesson_types), codesOf(pack.templates)]) {
      expect(new Set(codes).size).toBe(codes.length)
    }
  })

  it('requires only its own lesson types, each at most once and in their order', () => {
    const known = codesOf(pack.lesson_types)
    for (const { code, requirements } of pack.templates) {
      const demanded = requirements.map(({ lesson_type }) => lesson_type)
      expect(demanded, code).toEqual(known.filter((lessonType) => demanded.includes(lessonType)))
    }
  })

  it('requires positive whole units and no block longer than the required units', () => {
    for (const { required_units, min_one_block_units } of pack.templates.flatMap((t) => t.requirements)) {
      expect(required_units).toSatisfy((units: number) => Number.isInteger(units) && units > 0)
      if (min_one_block_units === null) continue
      expect(min_one_block_units).toSatisfy((units: number) => Number.isInteger(units) && units > 0)
      expect(min_one_block_units).toBeLessThanOrEqual(required_units)
    }
  })

  it.each(PACK_LANGUAGES)('has a trimmed name of at most 200 characters for each entry in %s', (language) => {
    const { lesson_types, templates } = loadPack(country, language)
    for (const { code, name } of [...lesson_types, ...templates]) {
      expect(name.trim(), code).not.toBe('')
      expect(name, code).toBe(name.trim())
      expect(name.length, code).toBeLessThanOrEqual(200)
    }
  })

  it('has colours as #RRGGBB and positive default minutes', () => {
    for (const { code, color, default_minutes } of pack.lesson_types) {
      expect(color, code).toMatch(/^#[0-9A-F]{6}$/)
      expect(default_minutes, code).toBeGreaterThan(0)
    }
  })
})

describe('lesson types', () => {
  it('Germany has all 25, from PRACTICE to INTERNAL', () => {
    const codes = codesOf(loadPack('DE', 'de').lesson_types)
    expect(codes).toHaveLength(25)
    expect([codes[0], codes[24]]).toEqual(['PRACTICE', 'INTERNAL'])
  })

  it.each(['AT', 'CH', 'FR', 'GB', 'NL', 'PL'])(
    '%s omits only those for B96, B197, ASF and FES',
    (country) => {
      const kept = codesOf(loadPack(country, 'en').lesson_types)
      const left = codesOf(loadPack('DE', 'en').lesson_types).filter((code) => !kept.includes(code))
      expect(left).toEqual([
        'MANUAL_GEARBOX',
        'MANUAL_CHECK',
        'B96_TRAINING',
        'ASF_SESSION',
        'ASF_DRIVE',
        'FES_MODULE',
      ])
    },
  )

  it('SIMULATOR counts toward limits but not legal minutes, INTERNAL toward neither', () => {
    const types = loadPack('DE', 'en').lesson_types
    expect(types.find(({ code }) => code === 'SIMULATOR')).toMatchObject({
      code: 'SIMULATOR',
      name: 'Driving-simulator lesson',
      category: 'simulator',
      color: '#88CCEE',
      counts_toward_limits: true,
      counts_toward_legal_minutes: false,
      needs_student: true,
      only_in_the_dark: false,
    })
    expect(types.find(({ code }) => code === 'INTERNAL')).toMatchObject({
      counts_toward_limits: false,
      counts_toward_legal_minutes: false,
    })
  })
})

describe('names', () => {
  it.each([
    ['DE', 'de', 'Nachtfahrt / Beleuchtungsfahrt (Sonderfahrt)'],
    ['AT', 'de-AT', 'Nachtfahrt / Beleuchtungsfahrt (Sonderfahrt)'],
    ['CH', 'fr-CH', 'Conduite de nuit (leçon spéciale)'],
    ['NL', 'nl', 'Rit in het donker (bijzondere rit)'],
    ['PL', 'pl-PL', 'Jazda nocna (jazda specjalna)'],
    ['GB', 'en-GB', 'Night drive (special drive)'],
    ['CH', 'it-CH', 'Night drive (special drive)'],
  ])('the night drive in %s with locale %s is "%s"', (country, locale, name) => {
    expect(loadPack(country, locale).lesson_types.find(({ code }) => code === 'NIGHT')?.name).toBe(name)
  })

  it('a template without a name in the language falls back to English', () => {
    expect(loadPack('DE', 'fr').templates.find(({ code }) => code === 'B')?.name).toBe('Class B (manual)')
    expect(loadPack('CH', 'fr').templates.find(({ code }) => code === 'CH_B')?.name).toBe('Catégorie B')
  })
})

describe('Germany', () => {
  it('counts in units of 45 minutes and has 37 templates', () => {
    const { unit_minutes, templates } = loadPack('DE', 'de')
    expect(unit_minutes).toBe(45)
    expect(templates).toHaveLength(37)
  })

  it('has a complete class B', () => {
    expect(loadPack('DE', 'de').templates.find(({ code }) => code === 'B')).toEqual({
      code: 'B',
      license_class: 'B',
      name: 'Klasse B (Schaltgetriebe)',
      min_age: 18,
      special: 'should_after_basic',
      requirements: [
        { lesson_type: 'RURAL', required_units: 5, min_one_block_units: 2 },
        { lesson_type: 'MOTORWAY', required_units: 4, min_one_block_units: 2 },
        { lesson_type: 'NIGHT', required_units: 3, min_one_block_units: null },
        {
          ...{ lesson_type: 'THEORY_BASIC', required_units: 24, min_one_block_units: null, shared: true },
          by_prior: [{ classes: ['*'], required_units: 12 }],
        },
        { lesson_type: 'THEORY_SPECIFIC', required_units: 4, min_one_block_units: null },
      ],
    })
  })
})

describe('the other countries', () => {
  it.each([
    ['AT', 50, 4],
    ['CH', 50, 2],
    ['FR', 60, 3],
    ['GB', 60, 1],
    ['NL', 50, 1],
    ['PL', 60, 7],
  ])('%s counts in units of %i minutes and has %i templates', (country, unitMinutes, count) => {
    const { unit_minutes, templates } = loadPack(country, 'en')
    expect([unit_minutes, templates.length]).toEqual([unitMinutes, count])
  })

  it('have one template for combined classes', () => {
    expect(templateOf('PL', 'PL_A').license_class).toBe('A1/A2/A')
    expect(templateOf('AT', 'AT_A').license_class).toBe('A1/A2/A (direct)')
  })
})
