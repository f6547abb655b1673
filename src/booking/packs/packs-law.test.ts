import { expect, it } from 'vitest'
import type { PackFile } from './pack-schema.ts'
import { countries, findPackFile, type PackRequirement, tickRulesOf } from './packs.ts'

/**
 * Requirements in units, `TYPE units` or `TYPE units/block`, and the minimum age. Behind them are the rules: `shared`; the units
 * for holders of another class (`A1=20`); the included types (`+RURAL`); a gearbox; the minutes of one unit (`15min`).
 */
type Figures = readonly [code: string, age: number | null, requirements: string]
type Source = { readonly country: string; readonly law: string; readonly figures: readonly Figures[] }

const FIRST_DRIVES = 'RURAL 5/2, MOTORWAY 4/2, NIGHT 3'
const STEP_DRIVES = 'RURAL 3/2, MOTORWAY 2/2, NIGHT 1'
const SHORT_DRIVES = 'RURAL 3/2, MOTORWAY 1, NIGHT 1'
const TRUCK_DRIVES = 'RURAL 5/2, MOTORWAY 2/2, NIGHT 3'
const VEHICLE = 'VEHICLE_INSTRUCTION 1'
const OF_BUSES = ' D1|D1E|D|DE=4'
const TO_D = ' C1|C1E=24 C|CE|D1|D1E=16'
const TO_D1 = ' C1|C1E|C|CE=8'

/** Returns the theory in units of 45 minutes, from double lessons: basic and special ones, and the special ones by prior class. */
function theory(basic: number, special: number, prior = ''): string {
  const any = basic === FIRST_BASIC ? ` *=${EXTENSION_BASIC}` : ''
  return `THEORY_BASIC ${2 * basic}${any} shared, THEORY_SPECIFIC ${2 * special}${prior}`
}

const FIRST_BASIC = 12
const EXTENSION_BASIC = 12

/** Returns the drives of a bus class, without a block: basic, rural, motorway and night. */
function bus(practice: number, rural: number, motorway: number, night: number): string {
  return `PRACTICE ${practice}, RURAL ${rural}, MOTORWAY ${motorway}, NIGHT ${night}, ${VEHICLE}`
}

/** Every template of every pack, with the paragraphs that it follows. A figure has no other source. */
const SOURCES: readonly Source[] = [
  {
    country: 'DE',
    law: 'FahrschAusbO § 4 Abs. 3: 12 double lessons of basic theory, 6 for holders of a licence; Anlage 2.8: special theory; § 5 Abs. 3, Anlage 4: special drives; FeV § 10: ages',
    figures: [
      ['AM', 15, theory(12, 2)],
      ['A1', 16, `${FIRST_DRIVES}, ${theory(12, 4)}`],
      ['A2', 18, `${FIRST_DRIVES}, ${theory(12, 4)}`],
      ['A', 24, `${FIRST_DRIVES}, ${theory(12, 4)}`],
      ['B', 18, `${FIRST_DRIVES}, ${theory(12, 2)}`],
      ['B78', 18, `${FIRST_DRIVES}, ${theory(12, 2)}`],
      ['T', 16, `${VEHICLE}, ${theory(12, 6)}`],
      ['L', 16, theory(12, 2)],
    ],
  },
  {
    country: 'DE',
    law: 'FeV § 48a: accompanied from 17; FahrschAusbO § 5a: ten units, and a check drive of 15 minutes at least, on a manual car',
    figures: [
      ['BF17', 17, `${FIRST_DRIVES}, ${theory(12, 2)}`],
      [
        'B197',
        18,
        `${FIRST_DRIVES}, MANUAL_GEARBOX 10 manual, MANUAL_CHECK 1 15min no-trainee, ${theory(12, 2)}`,
      ],
    ],
  },
  {
    country: 'DE',
    law: 'FahrschAusbO § 4 Abs. 3 Satz 2: 6 double lessons of basic theory for holders of a licence; Anlage 2.8; § 5 Abs. 3, Anlage 4',
    figures: [
      ['A2_FROM_A1_LT2Y', 18, `${STEP_DRIVES}, ${theory(6, 4)}`],
      ['A_FROM_A1', 24, `${STEP_DRIVES}, ${theory(6, 4)}`],
      ['A_FROM_A2_LT2Y', 24, `${STEP_DRIVES}, ${theory(6, 4)}`],
      ['C1', 18, `${SHORT_DRIVES}, ${VEHICLE}, ${theory(6, 6, OF_BUSES)}`],
      ['C1_C1E_JOINT', 18, `RURAL 4/2, MOTORWAY 2/2, NIGHT 2, ${VEHICLE}, ${theory(6, 6, OF_BUSES)}`],
      ['C', 21, `${TRUCK_DRIVES}, ${VEHICLE}, ${theory(6, 10, ' C1|C1E|D1|D1E=8 D|DE=4')}`],
      ['C_FROM_C1', 21, `${SHORT_DRIVES}, ${VEHICLE}, ${theory(6, 4, ' D|DE=4')}`],
      ['CE', 21, `${TRUCK_DRIVES}, ${VEHICLE}, ${theory(6, 4)}`],
      [
        'C_CE_JOINT',
        21,
        `RURAL 8/2, MOTORWAY 3/2, NIGHT 3, ${VEHICLE}, ${theory(6, 14, ' C1|C1E|D1|D1E=16 D|DE=12')}`,
      ],
    ],
  },
  {
    country: 'DE',
    law: 'FahrschAusbO § 5 Abs. 4, Anlage 5: drives of the bus classes, for which the blocks of Anlage 4 do not hold; § 4 Abs. 3 Satz 2; Anlage 2.8',
    figures: [
      ['D_FROM_C_GT2Y', 24, `${bus(7, 8, 4, 3)}, ${theory(6, 8)}`],
      ['D1_FROM_C_GT2Y', 21, `${bus(6, 4, 2, 2)}, ${theory(6, 4)}`],
      ['D_FROM_C_LE2Y', 24, `${bus(14, 16, 8, 6)}, ${theory(6, 8)}`],
      ['D1_FROM_C_LE2Y', 21, `${bus(8, 8, 4, 4)}, ${theory(6, 4)}`],
      ['D_FROM_B_OR_C1_GT2Y', 24, `${bus(33, 12, 8, 5)}, ${theory(6, 18, TO_D)}`],
      ['D1_FROM_B_OR_C1_GT2Y', 21, `${bus(16, 8, 4, 4)}, ${theory(6, 10, TO_D1)}`],
      ['D_FROM_B_OR_C1_LE2Y', 24, `${bus(45, 22, 14, 8)}, ${theory(6, 18, TO_D)}`],
      ['D1_FROM_B_OR_C1_LE2Y', 21, `${bus(41, 19, 12, 7)}, ${theory(6, 10, TO_D1)}`],
      ['D_FROM_D1', 24, `${bus(20, 5, 5, 5)}, ${theory(6, 8)}`],
      ['DE', 24, bus(4, 3, 1, 1)],
      ['D1E', 21, bus(4, 3, 1, 1)],
    ],
  },
  {
    country: 'DE',
    law: 'FahrschAusbO § 4 Abs. 4, Anlage 4: no theory for the classes of trailers; FeV § 15 Abs. 2 and 3, §§ 6a, 6b, 5: no test, training only, mopeds',
    figures: [
      ['BE', 18, `${SHORT_DRIVES}, ${VEHICLE}`],
      ['C1E', 18, `${SHORT_DRIVES}, ${VEHICLE}`],
      ['A2_STEP_A1_GE2Y', 18, ''],
      ['A_STEP_A2_GE2Y', 20, ''],
      ['B96', 18, 'B96_TRAINING 10'],
      ['B196', 25, 'B196_TRAINING 18'],
      ['MOFA', 15, 'THEORY_BASIC 12, MOFA_PRACTICE 2'],
    ],
  },
  {
    country: 'AT',
    law: 'KDV § 64b Abs. 6: 18 units of practice, among them one each by night, on a motorway and overland; FSG-VBV § 2',
    figures: [
      [
        'AT_B_FULL',
        18,
        'PRACTICE 18 +RURAL+MOTORWAY+NIGHT, RURAL 1, MOTORWAY 1, NIGHT 1, THEORY_BASIC 20 shared, THEORY_SPECIFIC 12',
      ],
      ['AT_B_DUAL', 18, 'PRACTICE 12, THEORY_BASIC 20 shared, THEORY_SPECIFIC 12'],
      ['AT_B_L17', 17, 'PRACTICE 19, THEORY_BASIC 20 shared, THEORY_SPECIFIC 12'],
      ['AT_A', null, 'PRACTICE 14, THEORY_BASIC 20 shared, THEORY_SPECIFIC 6'],
    ],
  },
  {
    country: 'CH',
    law: 'VZV Art. 19: practical basic training for motorcycles; no fixed number of drives for cars',
    figures: [
      ['CH_B', 17, ''],
      ['CH_A', 16, 'PRACTICE 15'],
    ],
  },
  {
    country: 'FR',
    law: 'Code de la route: at least 20 hours, 13 with an automatic gearbox',
    figures: [
      ['FR_B', 17, 'PRACTICE 20'],
      ['FR_BEA', 17, 'PRACTICE 13'],
      ['FR_AAC', null, 'PRACTICE 20'],
    ],
  },
  {
    country: 'GB',
    law: 'no fixed number in the law',
    figures: [['GB_B', 17, '']],
  },
  {
    country: 'NL',
    law: 'no fixed number in the law',
    figures: [['NL_B', 18, '']],
  },
  {
    country: 'PL',
    law: 'Rozporządzenie w sprawie szkolenia osób ubiegających się o uprawnienia: 30 and 20 hours of practice, of which 4 and 3 outside built-up areas; theory in hours of 45 minutes, 20 with A1 or B1; class B from 17 since 3 March 2026',
    figures: [
      ['PL_B', 17, 'PRACTICE 30 +RURAL, RURAL 4, THEORY_BASIC 30 A1|B1=20'],
      ['PL_A', 16, 'PRACTICE 20 +RURAL, RURAL 3, THEORY_BASIC 30 A1|B1=20'],
      ['PL_AM', 14, 'PRACTICE 5'],
      ['PL_BE', null, 'PRACTICE 15'],
      ['PL_C', null, 'PRACTICE 30, THEORY_BASIC 20'],
      ['PL_CE', null, 'PRACTICE 25'],
      ['PL_D', null, 'PRACTICE 60'],
    ],
  },
]

function textOf(one: PackRequirement): string {
  const { lesson_type, required_units, min_one_block_units: block, by_prior = [], includes = [] } = one
  const rules = [
    ...by_prior.map(({ classes, required_units: units }) => `${classes.join('|')}=${units}`),
    ...(includes.length > 0 ? [includes.map((type) => `+${type}`).join('')] : []),
    ...(one.shared ? ['shared'] : []),
    ...(one.also ? [one.also.gearbox] : []),
    ...(one.min_minutes ? [`${one.min_minutes}min`] : []),
    ...(one.not_by_trainee ? ['no-trainee'] : []),
  ]
  return [`${lesson_type} ${required_units}${block === null ? '' : `/${block}`}`, ...rules].join(' ')
}

it.each(countries())('every requirement of the pack of %s is that of the law', (country) => {
  const actual = (findPackFile(country)?.templates ?? []).map(({ code, min_age, requirements }): Figures => {
    return [code, min_age, requirements.map(textOf).join(', ')]
  })
  const lawful = SOURCES.filter((one) => one.country === country).flatMap(({ figures }) => figures)
  expect(actual.toSorted()).toEqual(lawful.toSorted())
})

const GERMAN_FIRST = ['A1', 'A2', 'A', 'B', 'BF17', 'B197', 'B78']

it('special drives should follow the basic training for a first licence, and must for the other classes', () => {
  // FahrschAusbO § 5 Abs. 2 Satz 3
  const templates = findPackFile('DE')?.templates ?? []
  for (const { code, special, requirements } of templates) {
    const isSpecial = requirements.some(({ lesson_type }) => lesson_type === 'RURAL')
    const rule = GERMAN_FIRST.includes(code) ? 'should_after_basic' : 'must_after_basic'
    expect(special, code).toBe(isSpecial ? rule : undefined)
  }
})

type Rules = Pick<PackFile, 'validity' | 'daily_minutes' | 'retention' | 'exams' | 'record'> &
  Pick<PackFile, 'unit_minutes' | 'theory_unit_minutes' | 'theory_day_units' | 'breaks'>

const NO_RULES: Omit<Rules, 'unit_minutes' | 'theory_unit_minutes'> = {
  record: [{ form: null, signatures: [], codes: {} }],
  retention: { record: null, other: null, minutes: null, source: null },
  daily_minutes: { practical: null, total: null, source: null },
  validity: { source: null },
  exams: { retry_days: null, without_theory_test: [], source: null },
  theory_day_units: null,
}
const SOURCE = expect.any(String) as unknown as string
const units = (unit_minutes: number, theory_unit_minutes = unit_minutes) => ({
  unit_minutes,
  theory_unit_minutes,
})

/** The other figures of each country. The packs name the paragraph of each group. */
const RULES: Readonly<Record<string, Rules>> = {
  DE: {
    ...units(45),
    record: [
      {
        // DV-FahrlG Anlage 3 (BGBl. I 2022, 504); FahrlG § 31 Abs. 1: both sign.
        valid_from: '2022-06-01',
        valid_to: null,
        form: 'DE:DV-FahrlG-3:2022',
        signatures: ['school', 'student'],
        codes: {
          ...{ PRACTICE: 'Üst', EXAM_PREP: 'Üst', TRIAL: 'Üst', MANOEUVRES: 'Gf' },
          ...{ RURAL: 'UL', MOTORWAY: 'AB', NIGHT: 'NF' },
          ...{ VEHICLE_INSTRUCTION: 'Uw', COUPLING: 'Uw', MANUAL_GEARBOX: 'SN', MANUAL_CHECK: 'SN' },
          ...{ SIMULATOR: null, REFRESHER: null, CONSULTATION: null, INTERNAL: null },
          ...{ ASF_SESSION: null, ASF_DRIVE: null, FES_MODULE: null },
        },
        // FeV § 5 Abs. 2, Anlage 7a, Anlage 7b: a certificate of the training or of participation instead.
        without: ['MOFA', 'B96', 'B196'],
      },
    ],
    // FahrlG § 31 Abs. 3; DV-FahrlG § 6 Abs. 2
    retention: {
      record: { years: 5, from: 'end_of_year' },
      other: { years: 5, from: 'day' },
      minutes: { years: 5, from: 'end_of_year' },
      source: SOURCE,
    },
    // FahrlG § 12 Satz 4 und 5
    daily_minutes: { practical: 495, total: 600, source: SOURCE },
    // ArbZG § 4
    breaks: {
      after: [
        { over_minutes: 360, break_minutes: 30 },
        { over_minutes: 540, break_minutes: 45 },
      ],
      longest_run_minutes: 360,
      source: SOURCE,
    },
    validity: {
      theory_test_months: 12, // FeV § 18 Abs. 2
      approval_months: 12, // FeV § 22 Abs. 5
      sight_test_months: 24, // FeV § 12 Abs. 7
      licence_months: 24, // FeV § 18 Abs. 2
      training_years: 2, // FeV § 16 Abs. 3, § 17 Abs. 5
      theory_before_age_months: 3, // FeV § 16 Abs. 3
      practice_before_age_months: 1, // FeV § 17 Abs. 1
      application_before_age_months: 6, // FeV § 21 Abs. 4
      source: SOURCE,
    },
    exams: {
      retry_days: 14, // FeV § 18 Abs. 1
      without_theory_test: ['A2_STEP_A1_GE2Y', 'A_STEP_A2_GE2Y', 'B96', 'B196', 'BE', 'C1E', 'DE', 'D1E'],
      source: SOURCE,
    },
    theory_day_units: 4, // FahrschAusbO § 4: two double lessons a day
  },
  AT: {
    ...NO_RULES,
    ...units(50),
    // FSG-VBV § 3
    retention: { ...NO_RULES.retention, record: { years: 3, from: 'day' }, source: SOURCE },
    theory_day_units: 4, // KDV § 64b Abs. 3
  },
  CH: {
    ...NO_RULES,
    ...units(50),
    // FV Art. 16 Abs. 1 Bst. b
    retention: {
      ...{ record: { years: 2, from: 'day' }, other: null, minutes: { years: 2, from: 'day' } },
      source: SOURCE,
    },
    // FV Art. 14
    daily_minutes: { practical: 660, total: null, practical_average: 540, week_total: 3300, source: SOURCE },
  },
  FR: {
    ...NO_RULES,
    ...units(60),
    // Arrêté du 5 mars 1991, art. 8
    retention: { ...NO_RULES.retention, record: { years: 3, from: 'day' }, source: SOURCE },
  },
  GB: { ...NO_RULES, ...units(60) },
  NL: { ...NO_RULES, ...units(50) },
  PL: { ...NO_RULES, ...units(60, 45) },
}

it.each(countries())('every other figure of the pack of %s is that of the law', (country) => {
  const rules = RULES[country] ?? {}
  const pack = Object.entries(findPackFile(country) ?? {})
  expect(Object.fromEntries(pack.filter(([name]) => name in rules))).toEqual(rules)
})

const ALL = ['MOFA', 'AM', 'B', 'BF17', 'B96', 'BE', 'C', 'CE', 'D_FROM_D1']

it.each([
  ['contract', ALL],
  ['guardian_consent', ALL],
  ['application', ALL.filter((code) => code !== 'MOFA')],
  ['approval', ['AM', 'B', 'BF17', 'BE', 'C', 'CE', 'D_FROM_D1']],
  ['identity', ALL.filter((code) => code !== 'MOFA')],
  ['photo', ALL.filter((code) => code !== 'MOFA')],
  ['sight_test', ['AM', 'B', 'BF17', 'BE']],
  ['first_aid', ['AM', 'B', 'BF17', 'BE', 'C', 'CE', 'D_FROM_D1']],
  ['medical', ['C', 'CE', 'D_FROM_D1']],
  ['eye_test', ['C', 'CE', 'D_FROM_D1']],
  ['police_certificate', ['D_FROM_D1']],
  ['theory_test', ['MOFA', 'AM', 'B', 'BF17', 'C', 'CE', 'D_FROM_D1']],
  ['practical_test', ['AM', 'B', 'BF17', 'BE', 'C', 'CE', 'D_FROM_D1']],
  ['licence', ALL.filter((code) => code !== 'MOFA')],
])('in Germany %s is needed for %j (FeV §§ 6a, 15, 21, 22)', (kind, codes) => {
  const templates = (findPackFile('DE')?.templates ?? []).filter(({ code }) => ALL.includes(code))
  const needing = templates.filter(({ code, license_class }) =>
    tickRulesOf('DE', license_class).some((rule) => rule.kind === kind && !rule.without.includes(code)),
  )
  expect(needing.map(({ code }) => code)).toEqual(codes)
})

it.each([
  ['theory_test', 12],
  ['approval', 12],
  ['sight_test', 24],
  ['practical_test', 24],
  ['photo', null],
])('in Germany %s is valid for %j months', (kind, months) => {
  expect(tickRulesOf('DE', 'B').find((rule) => rule.kind === kind)?.valid_months).toBe(months)
})
