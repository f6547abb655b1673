import { readdirSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExamLaw } from '../../domain/exam-warnings.ts'
import type { BreakLaw, DailyMinutes } from '../../domain/minutes.ts'
import { PACK_LANGUAGES } from '../../domain/pack-languages.ts'
import type { ExamRules } from '../../domain/readiness.ts'
import type { RetentionRules } from '../../domain/retention.ts'
import type { TickKind, TickRule } from '../../domain/ticks.ts'
import type { PlannedTopic } from '../../domain/topics.ts'
import { faultsInFile, faultsInFolder } from './pack-check.ts'
import type { PackFile } from './pack-schema.ts'

export type PackLessonType = Omit<LessonTypeEntry, 'names'> & { readonly name: string }

type TemplateEntry = PackFile['templates'][number]
export type PackRequirement = TemplateEntry['requirements'][number]
export type PackTemplate = Omit<TemplateEntry, 'names'> & { readonly name: string }

export type Pack = {
  readonly country: string
  readonly unit_minutes: number
  readonly theory_unit_minutes: number
  readonly law: string
  readonly training_years: number | null
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

/** A topic in a pack, with the code of its lesson type in place of an id. */
export type PackTopic = Omit<PlannedTopic, 'lesson_type_id'> & { readonly lesson_type: string }

const folder = new URL('../../../packs/', import.meta.url)
const PACK_NAME = /^[A-Z]{2}\.json$/
let ownFolder: URL | undefined
const packs = new Map<string, PackFile | undefined>()

/** Lets the packs in a folder take the place of those of their countries. Throws an error that lists every fault in them. */
export function readPacksFrom(path: string | undefined): void {
  ownFolder = undefined
  packs.clear()
  if (!path) return
  const faults = faultsInFolder(resolve(path), lessonTypeCodes())
  if (faults.length > 0)
    throw new Error(`The packs in PACKS_DIR have faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  ownFolder = pathToFileURL(resolve(path) + sep)
}

/** Returns the faults of the product's packs: the file, the place in it, and the reason. */
export function faultsInOwnPacks(): readonly string[] {
  const types = lessonTypeCodes()
  return countries().flatMap((country) => {
    const name = `${country}.json`
    const faults = faultsInFile(name, readFileSync(new URL(name, folder), 'utf8'), types)
    return faults.map((fault) => `packs/${name}: ${fault}`)
  })
}

export function countries(): string[] {
  return readdirSync(folder)
    .filter((file) => PACK_NAME.test(file))
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
  const pack = requirePackFile(country)
  return {
    country: pack.country,
    unit_minutes: pack.unit_minutes,
    theory_unit_minutes: pack.theory_unit_minutes,
    law: pack.law.name,
    training_years: pack.validity.training_years ?? null,
    lesson_types: lessonTypeEntries()
      .filter(({ code }) => !pack.without_lesson_types.includes(code))
      .map((entry) => named(entry, language)),
    templates: pack.templates.map((entry) => named(entry, language)),
  }
}

/** Returns a country's rules for exams; none for a country without a pack, which an imported school may have. */
export function examRulesOf(country: string): ExamRules {
  const { exams, validity } = findPackFile(country) ?? {}
  return {
    retry_days: exams?.retry_days ?? null,
    without_theory_test: exams?.without_theory_test ?? [],
    theory_test_months: validity?.theory_test_months ?? null,
    theory_before_age_months: validity?.theory_before_age_months ?? null,
    practice_before_age_months: validity?.practice_before_age_months ?? null,
    training_years: validity?.training_years ?? null,
  }
}

/** Returns a country's rules for warnings of exams. */
export function examLawOf(country: string): ExamLaw {
  return {
    ...examRulesOf(country),
    tickRulesOf: (license_class) => tickRulesOf(country, license_class),
  }
}

/** Returns the country's retention rules; null where it has none. */
export function retentionRulesOf(country: string): RetentionRules {
  const { record = null, other = null } = findPackFile(country)?.retention ?? {}
  return { record, other }
}

/** Returns a country's limits of a day's minutes, and its breaks of employees; null where there are none. */
export function dayRulesOf(country: string): {
  readonly daily_minutes: DailyMinutes
  readonly breaks: BreakLaw | null
} {
  const { daily_minutes, breaks } = findPackFile(country) ?? {}
  const { practical = null, total = null } = daily_minutes ?? {}
  return { daily_minutes: { practical, total }, breaks: breaks ?? null }
}

/** Returns the rules of the ticks of a licence class, in the order of the country's pack; empty without a pack. */
export function tickRulesOf(country: string, license_class: string): readonly TickRule[] {
  const { ticks, validity } = findPackFile(country) ?? {}
  const months: Partial<Record<TickKind, number | undefined>> = {
    theory_test: validity?.theory_test_months,
    approval: validity?.approval_months,
    sight_test: validity?.sight_test_months,
    practical_test: validity?.licence_months,
  }
  return (ticks?.kinds ?? [])
    .filter(({ classes }) => classes.includes('*') || classes.includes(license_class))
    .map(({ kind, needed_for, without = [], until_age = null }) => ({
      ...{ kind, needed_for, without, until_age, valid_months: months[kind] ?? null },
    }))
}

/** Returns a country's theory topics in the order of its plans; empty if there are none. */
export function topicsOf(country: string): readonly PackTopic[] {
  return (findPackFile(country)?.topics.plans ?? []).flatMap(
    ({ lesson_type, license_classes, topic, count, names }) =>
      Array.from({ length: count }, (_, at) => ({
        lesson_type,
        license_classes,
        topic: `${topic} ${at + 1}`,
        name: names?.[at] ?? null,
      })),
  )
}

/** Returns a country's pack as its file has it, read once; undefined without one. */
export function findPackFile(country: string): PackFile | undefined {
  if (!packs.has(country)) packs.set(country, readPackFile(country))
  return packs.get(country)
}

function requirePackFile(country: string): PackFile {
  const pack = findPackFile(country)
  if (!pack) throw new Error(`There is no pack for the country "${country}".`)
  return pack
}

function readPackFile(country: string): PackFile | undefined {
  const name = `${country}.json`
  const isIn = (one: URL) => readdirSync(one).includes(name)
  const from = ownFolder && isIn(ownFolder) ? ownFolder : folder
  return PACK_NAME.test(name) && isIn(from) ? (readJson(name, from) as PackFile) : undefined
}

/** Returns the codes of all lesson types that packs may name. */
export function lessonTypeCodes(): readonly string[] {
  return lessonTypeEntries().map(({ code }) => code)
}

function lessonTypeEntries(): readonly LessonTypeEntry[] {
  return readJson('lesson-types.json') as readonly LessonTypeEntry[]
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

function readJson(file: string, from = folder): unknown {
  return JSON.parse(readFileSync(new URL(file, from), 'utf8'))
}
