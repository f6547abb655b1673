import { readdirSync, readFileSync } from 'node:fs'
import { PACK_LANGUAGES } from '../domain/pack-languages.ts'
import type { ExamRules } from '../domain/readiness.ts'
import type { PlannedTopic } from '../domain/topics.ts'

export type PackLessonType = Omit<LessonTypeEntry, 'names'> & { readonly name: string }

export type PackRequirement = {
  readonly lesson_type: string
  readonly required_units: number
  readonly min_one_block_units: number | null
}

export type PackTemplate = Omit<TemplateEntry, 'names'> & { readonly name: string }

export type Pack = {
  readonly country: string
  readonly unit_minutes: number
  readonly lesson_types: readonly PackLessonType[]
  readonly templates: readonly PackTemplate[]
}

type Names = { readonly en: string; readonly [language: string]: string | undefined }

type LessonTypeEntry = {
  readonly code: string
  readonly names: Names
  readonly category: string
  readonly requirement_key: string | null
  readonly default_minutes: number
  readonly color: string
  readonly counts_toward_limits: boolean
  readonly counts_toward_legal_minutes: boolean
  readonly needs_student: boolean
  readonly only_in_the_dark: boolean
  readonly seats?: number
}

type TemplateEntry = {
  readonly code: string
  readonly license_class: string
  readonly names: Names
  readonly min_age: number | null
  readonly requirements: readonly PackRequirement[]
}

/** The topics of one course: `topic` with the numbers from 1 to `count`, and their names if the law has any. */
type TopicPlan = {
  readonly lesson_type: string
  readonly license_classes: readonly string[]
  readonly topic: string
  readonly count: number
  readonly names?: readonly string[]
}

/** A topic in a pack, with the code of its lesson type in place of an id. */
export type PackTopic = Omit<PlannedTopic, 'lesson_type_id'> & { readonly lesson_type: string }

type PackFile = {
  readonly country: string
  readonly unit_minutes: number
  readonly without_lesson_types: readonly string[]
  readonly exams?: ExamRules & { readonly source: string }
  readonly topics?: { readonly source: string; readonly plans: readonly TopicPlan[] }
  readonly templates: readonly TemplateEntry[]
}

const folder = new URL('../../packs/', import.meta.url)

export function countries(): string[] {
  return readdirSync(folder)
    .filter((file) => /^[A-Z]{2}\.json$/.test(file))
    .map((file) => file.slice(0, 2))
    .sort()
}

/** Returns a country's pack with names in the locale's language, or in English if it has none. */
export function loadPack(country: string, locale: string): Pack {
  const known = countries()
  if (!known.includes(country)) {
    throw new Error(`There is no pack for the country "${country}"; known are ${known.join(', ')}.`)
  }

  const { language } = new Intl.Locale(locale)
  const pack = packFileOf(country)
  const lessonTypes = readJson('lesson-types.json') as readonly LessonTypeEntry[]
  return {
    country: pack.country,
    unit_minutes: pack.unit_minutes,
    lesson_types: lessonTypes
      .filter(({ code }) => !pack.without_lesson_types.includes(code))
      .map((entry) => named(entry, language)),
    templates: pack.templates.map((entry) => named(entry, language)),
  }
}

const examRules = new Map<string, ExamRules>()

export function examRulesOf(country: string): ExamRules {
  const known = examRules.get(country)
  if (known) return known
  const { exams } = packFileOf(country)
  const { retry_days = null, without_theory_test = [] } = exams ?? {}
  const rules = { retry_days, without_theory_test }
  examRules.set(country, rules)
  return rules
}

const topics = new Map<string, readonly PackTopic[]>()

/** Returns a country's theory topics in the order of its plans; empty if there are none. Reads each pack once. */
export function topicsOf(country: string): readonly PackTopic[] {
  const known = topics.get(country)
  if (known) return known
  const plans = packFileOf(country).topics?.plans ?? []
  const found = plans.flatMap(({ lesson_type, license_classes, topic, count, names }) =>
    Array.from({ length: count }, (_, at) => ({
      lesson_type,
      license_classes,
      topic: `${topic} ${at + 1}`,
      name: names?.[at] ?? null,
    })),
  )
  topics.set(country, found)
  return found
}

function packFileOf(country: string): PackFile {
  return readJson(`${country}.json`) as PackFile
}

/** Returns the names of a country's lesson types in a language, by code. Empty if there are none. */
export function lessonTypeNames(country: string, language: string): ReadonlyMap<string, string> {
  if (PACK_LANGUAGES.some((one) => one === language))
    return new Map(loadPack(country, language).lesson_types.map(({ code, name }) => [code, name]))
  const file = `${language}.json`
  if (!readdirSync(new URL('lesson-type-names/', folder)).includes(file)) return new Map()
  return new Map(Object.entries(readJson(`lesson-type-names/${file}`) as Record<string, string>))
}

function named<Entry extends { readonly names: Names }>(entry: Entry, language: string) {
  const { names, ...rest } = entry
  return { ...rest, name: names[language] ?? names.en }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
}
