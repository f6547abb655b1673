import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let lessonTypes: { id: string; code: string; name: string; category: string }[]
let templates: { code: string; requirements: { lesson_type_id: string; code: string; name: string }[] }[]

beforeAll(async () => {
  school = await aSchool(service())
  lessonTypes = (await school.client.get('/lesson-types')).body
  templates = (await school.client.get('/license-class-templates')).body
})

const codes = (entries: readonly { code: string }[]) => entries.map(({ code }) => code)
const templateOf = (code: string) => templates.find((one) => one.code === code)

describe('GET /lesson-types for a German school', () => {
  it('lists 25 lesson types in the order of the country pack', () => {
    expect(lessonTypes).toHaveLength(25)
    expect(new Set(codes(lessonTypes)).size).toBe(25)
    expect(codes(lessonTypes).slice(0, 7)).toEqual([
      'PRACTICE',
      'RURAL',
      'MOTORWAY',
      'NIGHT',
      'MANOEUVRES',
      'MANUAL_GEARBOX',
      'MANUAL_CHECK',
    ])
  })

  it('returns every field', () => {
    expect(lessonTypes[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code: 'PRACTICE',
      name: 'Übungsfahrt (Grundausbildung)',
      category: 'practical',
      default_minutes: 90,
      color: '#0072B2',
      counts_toward_limits: true,
      counts_toward_legal_minutes: true,
      requirement_key: 'practice_units',
      needs_student: true,
      only_in_the_dark: false,
      position: 0,
      hidden: false,
      seats: 1,
      version: 1,
      former_names: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })
})

describe('GET /license-class-templates for a German school', () => {
  it('lists 37 templates in the order of the country pack', () => {
    expect(templates).toHaveLength(37)
    expect(codes(templates).slice(0, 5)).toEqual(['MOFA', 'AM', 'A1', 'A2', 'A'])
  })

  it('returns the requirements of class B, with id, code and name of each lesson type', () => {
    const idOf = (code: string) => lessonTypes.find((one) => one.code === code)?.id
    const requirement = (code: string, name: string, required_units: number, block: number | null) => ({
      lesson_type_id: idOf(code),
      code,
      name,
      required_units,
      min_one_block_units: block,
      unit_minutes: null,
      by_prior: code === 'THEORY_BASIC' ? [{ classes: ['*'], required_units: 12 }] : [],
      shared: code === 'THEORY_BASIC',
      includes: [],
      also: null,
      min_minutes: null,
      not_by_trainee: false,
    })
    expect(templateOf('B')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code: 'B',
      license_class: 'B',
      name: 'Klasse B (Schaltgetriebe)',
      min_age: 18,
      law: 'FahrschAusbO',
      valid_from: null,
      valid_to: null,
      theory_before_age_months: 3,
      practice_before_age_months: 1,
      requirements: [
        requirement('RURAL', 'Überlandfahrt (Sonderfahrt)', 5, 2),
        requirement('MOTORWAY', 'Autobahnfahrt (Sonderfahrt)', 4, 2),
        requirement('NIGHT', 'Nachtfahrt / Beleuchtungsfahrt (Sonderfahrt)', 3, null),
        requirement('THEORY_BASIC', expect.any(String) as unknown as string, 24, null),
        requirement('THEORY_SPECIFIC', expect.any(String) as unknown as string, 4, null),
      ],
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  it("refers only to the school's own lesson types, and allows a class without requirements", () => {
    const known = lessonTypes.map(({ id, code, name }) => `${id} ${code} ${name}`)
    const demanded = templates.flatMap(({ requirements }) => requirements)
    for (const { lesson_type_id, code, name } of demanded) {
      expect(known).toContain(`${lesson_type_id} ${code} ${name}`)
    }
    expect(templateOf('A2_STEP_A1_GE2Y')?.requirements).toEqual([])
  })
})

/** Types of the German classes B197 and B96 and of the German courses ASF and FES. */
const GERMAN_ONLY = [
  'MANUAL_GEARBOX',
  'MANUAL_CHECK',
  'B96_TRAINING',
  'ASF_SESSION',
  'ASF_DRIVE',
  'FES_MODULE',
]

it.each([
  ['AT', 'de', 4],
  ['CH', 'fr', 2],
  ['FR', 'fr', 3],
  ['GB', 'en', 1],
  ['NL', 'nl', 1],
  ['PL', 'pl', 7],
])(
  'a school in %s has the German lesson types except B96, B197, ASF and FES, and its own templates',
  async (country, locale, count) => {
    const abroad = await aSchool(service(), { country, locale })
    const types = (await abroad.client.get('/lesson-types')).body
    const without = codes(lessonTypes).filter((code) => !GERMAN_ONLY.includes(code))
    expect(codes(types)).toEqual(without)
    expect((await abroad.client.get('/license-class-templates')).body).toHaveLength(count)
  },
)
